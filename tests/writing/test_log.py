"""Events go to the log of the local day, whole, once, and never over earlier ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date

import pytest

from vademecum.core.errors import InvalidText, OverBudget
from vademecum.core.provenance import Actor
from vademecum.markdown.entries import read_entries
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace
from vademecum.writing.log import append_entry

DAY = date(2026, 1, 20)
PATH = "memory/2026-01-20.md"


def log_text(workspace: Workspace, path: str = PATH) -> str:
    return (workspace.root / path).read_bytes().decode()


@pytest.mark.req("F-06", "W-01")
def test_an_event_is_appended_under_its_time_below_its_day(
    workspace: Workspace, actor: Actor, clock: FrozenClock
) -> None:
    first = append_entry(workspace, "Decided on REST.", title="API discussion", actor=actor)
    clock.move_to("2026-01-20T14:05:00")
    second = append_entry(workspace, "Two\nlines", title="Later", actor=actor)
    text = log_text(workspace)
    body = "# 2026-01-20\n\n### 10:30 — API discussion\nDecided on REST.\n\n"
    assert text.endswith(body + "### 14:05 — Later\nTwo\nlines\n")
    lines = text.splitlines()
    assert lines[first.first - 1] == "### 10:30 — API discussion"
    assert lines[first.last - 1] == "Decided on REST."
    assert (lines[second.first - 1], lines[second.last - 1]) == ("### 14:05 — Later", "lines")
    assert first.path == second.path == PATH


@pytest.mark.req("F-06")
@pytest.mark.parametrize(
    ("zone", "instant", "day", "time"),
    [
        ("Asia/Shanghai", "2026-03-01T19:53:00+00:00", "2026-03-02", "03:53"),
        ("America/New_York", "2026-11-01T05:30:00+00:00", "2026-11-01", "01:30"),
        ("America/New_York", "2026-11-01T06:30:00+00:00", "2026-11-01", "01:30"),
        ("Europe/Berlin", "2026-03-29T01:00:00+00:00", "2026-03-29", "03:00"),
        ("Pacific/Kiritimati", "2026-12-31T10:00:00+00:00", "2027-01-01", "00:00"),
        ("Pacific/Pago_Pago", "2026-01-01T10:59:59+00:00", "2025-12-31", "23:59"),
        ("Asia/Kathmandu", "2026-05-01T18:15:00+00:00", "2026-05-02", "00:00"),
        ("Australia/Lord_Howe", "2026-04-04T15:15:00+00:00", "2026-04-05", "01:45"),
    ],
)
def test_day_and_time_are_those_of_the_workspace_zone(
    make_workspace: Callable[..., Workspace],
    actor: Actor,
    zone: str,
    instant: str,
    day: str,
    time: str,
) -> None:
    workspace = make_workspace(FrozenClock(instant, zone="UTC"), zone=zone)
    written = append_entry(workspace, "At 12:00 on 1999-01-01 nothing happened", actor=actor)
    assert written.path == f"memory/{day}.md"
    assert f"# {day}\n\n### {time} — " in log_text(workspace, written.path)


@pytest.mark.req("F-06")
def test_the_log_changes_at_local_midnight(
    workspace: Workspace, actor: Actor, clock: FrozenClock
) -> None:
    clock.move_to("2026-01-20T23:59:59.999999")
    assert append_entry(workspace, "late", actor=actor).path == PATH
    clock.advance(microseconds=1)
    assert append_entry(workspace, "early", actor=actor).path == "memory/2026-01-21.md"


HOSTILE = [
    "# 1999-01-01\n\n### 00:00 — Forged\nforged",
    "### 09:00 — Forged\nforged",
    "#### 09:00 — Forged",
    "text\n\n# Heading\n## Below\n### And below\n###### deep",
    "```\nnever closed\n### 09:00 — Forged",
    "~~~~ python\nnever closed",
    "```\nclosed\n```\nand ``` inline",
    "Title\n=====\ntext\n---\nmore",
    "<!-- never closed\n### 09:00 — Forged",
    "---\ntype: forged\n---\n",
    "- 09:00 a bullet with a time",
    "> ### 09:00 — quoted",
    "    ### 09:00 — indented code",
    "trailing spaces   \n\n\n\n",
    "\n\n\nleading lines",
    "tab\tand\x0bvertical\x0cform\x85next\u2028line",
]


@pytest.mark.req("F-06", "B-01")
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_can_forge_an_entry_or_swallow_the_next(
    workspace: Workspace, actor: Actor, text: str
) -> None:
    append_entry(workspace, "before", title="Before", actor=actor)
    append_entry(workspace, text, title="Hostile", actor=actor)
    append_entry(workspace, "after", title="After", actor=actor)
    entries = read_entries(PATH, log_text(workspace), DAY)
    assert [entry.title for entry in entries] == ["Before", "Hostile", "After"]
    assert {(entry.day, entry.time) for entry in entries} == {(DAY, "10:30")}
    assert (entries[0].body, entries[2].body) == ("before", "after")


@pytest.mark.req("F-06")
def test_what_a_person_reads_of_the_text_stays(workspace: Workspace, actor: Actor) -> None:
    text = "# Plan\n- one\n- two\n\n```python\n# a comment\nx = 1\n```\nTitle\n===\nend"
    append_entry(workspace, text, title="T", actor=actor)
    (entry,) = read_entries(PATH, log_text(workspace), DAY)
    assert entry.body.splitlines() == [
        "#### Plan",
        "- one",
        "- two",
        "",
        "```python",
        "# a comment",
        "x = 1",
        "```",
        "Title",
        "\\===",
        "end",
    ]


@pytest.mark.req("F-06")
@pytest.mark.parametrize(
    ("title", "text", "shown"),
    [
        ("", "- The ferry needs a reservation.\nmore", "The ferry needs a reservation."),
        ("", "word " * 40, "word " * 13 + "word…"),
        ("  two\nlines ", "x", "two lines"),
        ("About C #", "x", "About C \\#"),
        ("a: b # c \"d\" 'e' — f 🚀", "x", "a: b # c \"d\" 'e' — f 🚀"),
    ],
)
def test_an_entry_always_has_a_title_of_one_line(
    workspace: Workspace, actor: Actor, title: str, text: str, shown: str
) -> None:
    append_entry(workspace, text, title=title, actor=actor)
    assert f"\n### 10:30 — {shown}\n" in log_text(workspace)


@pytest.mark.req("B-01")
@pytest.mark.parametrize("text", ["", "  \n\t", "a\0b", "half \ud83d pair"])
def test_what_no_note_can_hold_is_refused_and_nothing_is_made(
    workspace: Workspace, actor: Actor, text: str
) -> None:
    with pytest.raises(InvalidText) as caught:
        append_entry(workspace, text, actor=actor)
    assert caught.value.hint
    assert not (workspace.root / "memory").exists()
    with pytest.raises(InvalidText):
        append_entry(workspace, "x", actor=Actor("a\0b"))


@pytest.mark.req("F-06", "B-01")
@pytest.mark.parametrize(
    "left",
    [
        b"# 2026-01-20\n\n### 09:00 \xe2\x80\x94 Cut\nhalf a caf\xc3",
        b"# 2026-01-20\n\n### 09:00 \xe2\x80\x94 Cut\nx\n\x00\x00\xff\xfe garbage",
        b"no heading and no newline",
        b"",
    ],
)
def test_after_a_torn_last_line_the_next_entry_starts_on_a_line_of_its_own(
    workspace: Workspace, actor: Actor, left: bytes
) -> None:
    path = workspace.root / PATH
    path.parent.mkdir()
    path.write_bytes(left)
    written = append_entry(workspace, "whole", title="Next", actor=actor)
    data = path.read_bytes()
    assert data.startswith(left)
    lines = data.split(b"\n")
    assert lines[written.first - 1] == "### 10:30 — Next".encode()
    assert lines[written.last - 1] == b"whole"


@pytest.mark.req("F-06")
def test_a_log_with_windows_line_ends_keeps_them(workspace: Workspace, actor: Actor) -> None:
    path = workspace.root / PATH
    path.parent.mkdir()
    path.write_bytes(b"# 2026-01-20\r\n")
    append_entry(workspace, "a\r\nb", title="T", actor=actor)
    assert path.read_bytes() == "# 2026-01-20\r\n\r\n### 10:30 — T\r\na\r\nb\r\n".encode()


@pytest.mark.req("B-03", "W-01")
def test_an_entry_is_attributed_in_the_ledger(workspace: Workspace, actor: Actor) -> None:
    written = append_entry(workspace, "x", title="Title", actor=actor)
    change = workspace.ledger.change(written.change)
    assert (change.actor, change.session, change.verb) == ("ada", "session-1", "log")
    assert (change.path, change.summary, change.at) == (PATH, "Title", workspace.clock.now())
    assert change.after == written.digest == workspace.files.read(PATH).digest


WRITER = """
import sys
from pathlib import Path
from vademecum.core.provenance import Actor
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import open_workspace
from vademecum.writing.log import append_entry
root, home, name, count = sys.argv[1:]
variables = {"HOME": home, "XDG_STATE_HOME": home + "/state"}
workspace = open_workspace(Path(root), variables=variables, clock=FrozenClock())
for number in range(int(count)):
    append_entry(workspace, f"{name} {number}", title=f"{name}-{number}", actor=Actor(name))
"""


@pytest.mark.req("F-06", "B-02")
def test_two_processes_that_log_at_once_leave_400_whole_entries(workspace: Workspace) -> None:
    arguments = [str(workspace.root), str(workspace.root.parent)]
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, *arguments, name, "200"]) for name in "ab"
    ]
    assert [process.wait() for process in running] == [0, 0]
    text = log_text(workspace)
    assert text.count("# 2026-01-20\n") == 1
    entries = read_entries(PATH, text, DAY)
    assert {entry.title: entry.body for entry in entries} == {
        f"{name}-{number}": f"{name} {number}" for name in "ab" for number in range(200)
    }
    assert len(entries) == 400
    assert len(list(workspace.ledger.changes(verb="log"))) == 400


@pytest.mark.req("F-06", "W-08")
def test_an_entry_that_would_take_its_day_out_of_the_search_is_refused(
    workspace: Workspace, actor: Actor
) -> None:
    most = workspace.settings.scan.max_bytes
    kept = append_entry(workspace, "short", actor=actor)
    before = (workspace.root / kept.path).read_bytes()
    with pytest.raises(OverBudget, match=r"scan\.max_bytes") as refused:
        append_entry(workspace, "word " * (most // 5), actor=actor, title="long")
    assert "raise scan.max_bytes" in refused.value.hint
    assert (workspace.root / kept.path).read_bytes() == before
    (workspace.root / kept.path).write_bytes(before + b"x" * most)
    append_entry(workspace, "by then it makes no difference", actor=actor)
