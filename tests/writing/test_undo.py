"""Each write can be taken back, and so can that; what others wrote stays."""

from __future__ import annotations

import random

import pytest

from vademecum.core.changes import Signature
from vademecum.core.errors import ChangedMeanwhile, LedgerEntryNotFound, Refused, VademecumError
from vademecum.core.provenance import Actor
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace
from vademecum.writing import history, log, scaffold, workbench
from vademecum.writing.signing import sign
from vademecum.writing.undo import undo

PATH = "memory/2026-01-20.md"
BEN = Actor("ben", "s2")


def text(workspace: Workspace, path: str = PATH) -> str:
    return (workspace.root / path).read_text()


def signed(workspace: Workspace, verb: str = "edit") -> Signature:
    return sign(workspace, BEN, verb)


@pytest.mark.req("B-03", "F-06")
def test_an_entry_is_taken_back_alone_and_comes_back(workspace: Workspace, actor: Actor) -> None:
    log.append_entry(workspace, "first", title="A", actor=actor)
    before = text(workspace)
    entry = log.append_entry(workspace, "wrong", title="B", actor=actor)
    with_entry = text(workspace)
    log.append_entry(workspace, "third", title="C", actor=BEN)
    everything = text(workspace)
    (done,) = undo(workspace, entry.change, actor=actor)
    assert text(workspace) == before + everything.removeprefix(with_entry)
    undo(workspace, done.change, actor=actor)
    assert sorted(text(workspace).splitlines()) == sorted(everything.splitlines())
    assert history.changes(workspace, PATH)[0].undoes == done.change


@pytest.mark.req("B-03", "F-06")
def test_an_entry_that_somebody_edited_by_hand_is_left_alone(
    workspace: Workspace, actor: Actor
) -> None:
    entry = log.append_entry(workspace, "wrong", title="B", actor=actor)
    edited = text(workspace).replace("wrong", "right")
    (workspace.root / PATH).write_text(edited)
    with pytest.raises(ChangedMeanwhile) as caught:
        undo(workspace, entry.change, actor=actor)
    assert caught.value.hint
    assert text(workspace) == edited


@pytest.mark.req("B-03")
def test_an_entry_is_found_although_lines_above_it_moved(
    workspace: Workspace, actor: Actor
) -> None:
    log.append_entry(workspace, "first", title="A", actor=actor)
    entry = log.append_entry(workspace, "wrong", title="B", actor=actor)
    (workspace.root / PATH).write_text("by hand\n" + text(workspace))
    undo(workspace, entry.change, actor=actor)
    assert text(workspace).startswith("by hand\n") and "wrong" not in text(workspace)


@pytest.mark.req("B-03", "F-07")
def test_a_replacement_is_taken_back_and_later_lines_stay(
    workspace: Workspace, actor: Actor
) -> None:
    workbench.replace(workspace, "plan\n\nstep\n\nend", actor=actor)
    second = workbench.replace(workspace, "worse plan\n\nstep\n\nend", actor=actor)
    workbench.edit(workspace, "end", "later line", actor=BEN)
    (done,) = undo(workspace, second.change, actor=actor)
    assert text(workspace, "NOW.md") == "plan\n\nstep\n\nlater line\n"
    undo(workspace, done.change, actor=actor)
    assert text(workspace, "NOW.md") == "worse plan\n\nstep\n\nlater line\n"


@pytest.mark.req("B-03")
def test_a_line_that_was_changed_again_is_not_taken_back(
    workspace: Workspace, actor: Actor
) -> None:
    workbench.replace(workspace, "one", actor=actor)
    second = workbench.replace(workspace, "two", actor=actor)
    workbench.replace(workspace, "three", actor=BEN)
    with pytest.raises(ChangedMeanwhile, match=second.change):
        undo(workspace, second.change, actor=actor)
    assert text(workspace, "NOW.md") == "three\n"


@pytest.mark.req("B-03")
def test_a_file_that_was_made_goes_and_one_that_was_removed_comes(
    workspace: Workspace, actor: Actor
) -> None:
    files = workspace.files
    made = files.create("memory/note.md", b"# Note\n", signed(workspace))
    assert made is not None
    (gone,) = undo(workspace, made.id, actor=actor)
    assert not (workspace.root / "memory/note.md").exists()
    undo(workspace, gone.change, actor=actor)
    assert text(workspace, "memory/note.md") == "# Note\n"
    again = history.changes(workspace, "memory/note.md")[0]
    (workspace.root / "memory/note.md").write_text("# Note\n\nmore\n")
    with pytest.raises(ChangedMeanwhile):
        undo(workspace, again.id, actor=actor)
    assert text(workspace, "memory/note.md") == "# Note\n\nmore\n"


@pytest.mark.req("B-03")
def test_nothing_is_taken_back_twice_and_nothing_unknown(
    workspace: Workspace, actor: Actor
) -> None:
    entry = log.append_entry(workspace, "x", actor=actor)
    (done,) = undo(workspace, entry.change, actor=actor)
    with pytest.raises(Refused, match=done.change):
        undo(workspace, entry.change, actor=actor)
    with pytest.raises(LedgerEntryNotFound, match="nonsense"):
        undo(workspace, "nonsense", actor=actor)


@pytest.mark.req("B-03")
def test_history_is_newest_first_and_filtered(workspace: Workspace, actor: Actor) -> None:
    first = log.append_entry(workspace, "x", actor=actor)
    second = workbench.replace(workspace, "y", actor=BEN)
    third = log.append_entry(workspace, "z", actor=BEN)

    def ids(**wanted: object) -> list[str]:
        return [change.id for change in history.changes(workspace, **wanted)]  # type: ignore[arg-type]  # keywords of several types

    assert ids() == [third.change, second.change, first.change]
    assert ids(limit=1) == [third.change]
    assert ids(path=PATH) == ids(verb="log") == [third.change, first.change]
    assert ids(actor="ben", session="s2") == [third.change, second.change]
    assert ids(session="session-1") == [first.change]


@pytest.mark.req("B-03")
def test_a_write_that_was_finished_late_stands_where_it_was_begun(
    workspace: Workspace, actor: Actor, clock: FrozenClock
) -> None:
    clock.move_to("2026-01-20T10:40:00")
    newest = log.append_entry(workspace, "acknowledged", actor=actor)
    clock.move_to("2026-01-20T10:35:00")
    late = workbench.replace(workspace, "of a process that was killed", actor=BEN)
    listed = history.changes(workspace, limit=2)
    assert [change.id for change in listed] == [newest.change, late.change]
    assert history.changes(workspace, limit=1) == listed[:1]


@pytest.mark.req("B-03")
@pytest.mark.parametrize("seed", range(6))
def test_taking_everything_back_newest_first_restores_every_byte(
    workspace: Workspace, actor: Actor, seed: int
) -> None:
    chance = random.Random(seed)
    (workspace.root / "NOW.md").write_text("as it was\n")
    (workspace.root / "memory").mkdir()
    (workspace.root / PATH).write_text("# 2026-01-20\n\nby hand, no newline")
    before = {name: text(workspace, name) for name in ("NOW.md", PATH)}
    made = []
    for number in range(20):
        who = chance.choice([actor, BEN])
        kind = chance.choice(["log", "set", "undo"])
        try:
            if kind == "log":
                done = log.append_entry(workspace, f"entry {number}", actor=who)
            elif kind == "set":
                done = workbench.replace(workspace, f"plan {number}\nline\n", actor=who)
            else:
                (done,) = undo(workspace, chance.choice(made or ["none"]), actor=who)
        except VademecumError:
            continue
        made.append(done.change)
    for change in reversed(made):
        try:
            undo(workspace, change, actor=actor)
        except Refused as refused:
            assert "already taken back" in str(refused)
    assert text(workspace, "NOW.md") == before["NOW.md"]
    assert text(workspace).removesuffix("\n") == before[PATH]
    assert scaffold.init(workspace, actor=actor).kept
