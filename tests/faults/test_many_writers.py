"""Several processes write the same files at once, and nothing acknowledged is lost or invented."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from vademecum.workspace.files import open_files

WRITER = Path(__file__).parent / "writer.py"
NAMES = ("ada", "ben", "cyd", "dan", "eve", "fay")


def write_at_once(place: Path, count: int, seed: int, without: str = "") -> list[tuple[str, str]]:
    """Let six processes write; return every acknowledged write: file and word."""
    root, state = place / "root", place / "state"
    (root / "memory").mkdir(parents=True)
    note = "# note\n\n" + "".join(f"## {name}\n\n" for name in NAMES)
    (root / "memory" / "note.md").write_text(note)
    running = [
        subprocess.Popen(
            [sys.executable, str(WRITER), str(root), str(state), name, str(count), str(seed)]
            + ([without] if without else []),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in NAMES
    ]
    acknowledged = []
    for process in running:
        said, errors = process.communicate()
        assert process.returncode == 0, errors
        for line in said.splitlines():
            path, _, word = line.partition(" ")
            acknowledged.append((path, word))
    return acknowledged


def check(place: Path, acknowledged: list[tuple[str, str]]) -> None:
    root = place / "root"
    files = open_files(root, place / "state")
    found: Counter[tuple[str, str]] = Counter()
    for path in root.rglob("*.md"):
        if ".vade" not in path.parts:
            for word in path.read_text().split():
                if word.endswith("-end"):
                    found[path.relative_to(root).as_posix(), word] += 1
    assert set(acknowledged) - found.keys() == set(), "acknowledged, but not there"
    assert found.keys() - set(acknowledged) == set(), "there, but never acknowledged"
    assert set(found.values()) <= {1}, "there more than once"
    for name in NAMES:
        order = [word for path, word in acknowledged if word.startswith(name) and "log" in path]
        log = (root / "memory/log.md").read_text().split()
        assert [word for word in log if word.startswith(name)] == order, "out of order"
    changes = [change for change in files.records.ledger.changes() if change.verb != "conflict"]
    assert len(changes) == len({change.id for change in changes}) == len(acknowledged)
    for path in ("memory/log.md", "memory/note.md"):
        last = files.records.ledger.last(path)
        assert last is not None and last.after == files.read(path).digest
    assert files.records.ledger.defects() == ()
    assert list(place.glob("state/journal/*")) == []
    assert list(root.rglob(".vade-*")) == []


@pytest.mark.req("B-02", "F-06")
def test_six_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    acknowledged = write_at_once(tmp_path, count=30, seed=1)
    assert len(acknowledged) == 180
    check(tmp_path, acknowledged)


@pytest.mark.slow
@pytest.mark.req("B-02", "F-06")
@pytest.mark.parametrize("seed", range(3))
def test_six_processes_with_200_writes_each_lose_nothing(tmp_path: Path, seed: int) -> None:
    acknowledged = write_at_once(tmp_path, count=200, seed=seed)
    assert len(acknowledged) == 1200
    check(tmp_path, acknowledged)


@pytest.mark.req("B-02", "B-07")
def test_the_check_notices_that_the_lock_is_gone(tmp_path: Path) -> None:
    for attempt in range(5):
        place = tmp_path / str(attempt)
        try:
            check(place, write_at_once(place, count=30, seed=attempt, without="lock"))
        except AssertionError:
            return
    pytest.fail("six processes without a lock lost nothing in five runs")
