"""An editor that saves in its own way during our writes: neither side loses a line."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vademecum.core.changes import Signature
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.displaced import Displaced
from vademecum.workspace.files import Files, open_files

EDITOR = Path(__file__).parent / "editor.py"
STYLES = ("rename", "in-place", "backup", "sed")
AT = datetime(2026, 1, 20, 10, 30, tzinfo=UTC)
NOTE = "# note\n\n## editor\n\n## agent\n"


def signed(verb: str) -> Signature:
    return Signature(new_entry_id(AT), AT, Actor("ada"), verb)


def edit_meanwhile(path: Path, style: str, count: int, write: Callable[[int], None]) -> set[str]:
    """Let an editor save `path` `count` times and call `write` until it is done.

    Returns the lines that the editor saved.
    """
    saved: list[str] = []
    with subprocess.Popen(
        [sys.executable, str(EDITOR), str(path), style, "theirs", str(count)],
        stdout=subprocess.PIPE,
        text=True,
    ) as editor:
        assert editor.stdout
        saved.append(editor.stdout.readline())
        reader = threading.Thread(target=lambda: saved.extend(editor.stdout or ()))
        reader.start()
        number = 0
        while reader.is_alive():
            write(number)
            number += 1
        reader.join()
        editor.wait()
    assert editor.returncode == 0
    return {line.strip() for line in saved}


def replace_once(files: Files, number: int) -> str | None:
    word = f"- ours-{number}-end"
    try:
        base = files.read("note.md")
        data = base.data.replace(b"## agent\n", f"## agent\n{word}\n".encode())
        if data == base.data:
            return None
        files.replace(base, data, signed("edit"))
    except (ChangedMeanwhile, NoteNotFound):
        return None  # refused, or the editor had the file away: nothing was acknowledged
    return word


def append_once(files: Files, number: int) -> str | None:
    word = f"- ours-{number}-end"
    files.append("note.md", f"\n{word}\n".encode(), signed("log"), header=NOTE.encode())
    return word


def lost_lines(
    place: Path, style: str, write: Callable[[Files, int], str | None], rounds: int
) -> tuple[set[str], set[str], int]:
    """Write while an editor saves; return lines of ours and of theirs that are nowhere."""
    root = place / "root"
    root.mkdir(parents=True)
    path = root / "note.md"
    path.write_text(NOTE)
    files = open_files(root, place / "state")
    acknowledged: list[str] = []

    def once(number: int) -> None:
        word = write(files, number)
        if word is not None:
            acknowledged.append(word)

    theirs = edit_meanwhile(path, style, rounds, once)
    files.recover()
    files.reconcile(signed("sync"))
    kept = [path, *root.glob(".vade/conflicts/*"), *root.glob("note.md~")]
    found = {line for file in kept for line in file.read_text().splitlines()}
    return set(acknowledged) - found, theirs - found, len(acknowledged)


@pytest.mark.req("B-02")
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("write", [replace_once, append_once])
def test_neither_side_loses_a_line(
    tmp_path: Path, style: str, write: Callable[[Files, int], str | None]
) -> None:
    ours, theirs, count = lost_lines(tmp_path, style, write, rounds=150)
    assert (ours, theirs) == (set(), set())
    assert count


@pytest.mark.slow
@pytest.mark.req("B-02")
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("write", [replace_once, append_once])
def test_neither_side_loses_a_line_in_800_saves(
    tmp_path: Path, style: str, write: Callable[[Files, int], str | None]
) -> None:
    ours, theirs, count = lost_lines(tmp_path, style, write, rounds=800)
    assert (ours, theirs) == (set(), set())
    assert count


@pytest.mark.req("B-02", "B-07")
def test_the_check_notices_that_nobody_looks_at_what_was_displaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = Displaced.look

    def not_looking(self, place, intent):  # type: ignore[no-untyped-def]  # stands in for a method, whatever it is given
        released, theirs = looking(self, place, intent)
        return released, None if theirs is None else self._records.blobs.get(intent.expected)

    monkeypatch.setattr(Displaced, "look", not_looking)
    for attempt in range(5):
        ours, theirs, _ = lost_lines(tmp_path / str(attempt), "rename", replace_once, rounds=150)
        if ours or theirs:
            return
    pytest.fail("without the look at the displaced version nothing was lost in five runs")
