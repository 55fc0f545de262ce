"""`vade git sync` killed at any step: the next one goes on, and nothing is lost or stands twice."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import team  # see conftest

from vademecum.testing import FrozenClock

pytestmark = pytest.mark.req("B-02")
HERE = Path(__file__).parent
LONGEST = 480
"""Steps of a sync of what two people do between two of them, about."""


class Syncs:
    """Syncs in processes that can be killed at a step; see `syncing`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "syncing.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{HERE.parents[1] / 'src'}{os.pathsep}{HERE}"},
        )

    def run(self, person: Any, at: int = 0) -> Any:
        """Sync for a person, and kill that before step `at`, from 1; return what it says."""
        order = {
            "name": person.name,
            "place": str(person.root.parent),
            "at": at,
            "now": person.clock.now().isoformat(),
        }
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def syncs() -> Iterator[Syncs]:
    made = Syncs()
    yield made
    made.close()


# ------------------------------------------------------------ one sync, killed at each of its steps

MOVED = "ba5e11"
FROM, TO = "memory/facts/base1.md", "memory/facts/base0.md"
OLD, NEW = "memory/facts/base2.md", "memory/people/base2.md"


def edit(person: Any, note: str, before: str, after: str) -> None:
    file = person.root / note
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


def add(person: Any, note: str, text: str) -> None:
    file = person.root / note
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "# New\n") + text)


def line_of(person: Any, note: str, id: str) -> str:
    """Return the line of a claim in a note, empty where the note or the claim is not there."""
    file = person.root / note
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    return next((line for line in lines if line.endswith(f"^{id}\n")), "")


def work(people: tuple[Any, Any]) -> None:
    """Let ben send notes and claims that went elsewhere, and ada edit them where they were."""
    ada, ben = people
    moved = line_of(ben, FROM, MOVED)
    edit(ben, FROM, moved, "")
    add(ben, TO, moved)
    (ben.root / NEW).parent.mkdir(parents=True)
    (ben.root / OLD).rename(ben.root / NEW)
    edit(ben, "memory/facts/base3.md", "wordx30", f"wordx30 {ben.word()}")
    add(ben, "memory/places/dock.md", f"\n- [stated] The dock is {ben.word()} ^dd1111\n")
    (ben.root / "memory/facts/base5.md").unlink()
    ben.removed |= {f"wordx{number}" for number in range(50, 54)}
    (ben.root / "code.py").write_text("one\n")
    ben.git("add", "code.py")
    ben.git("commit", "-q", "-m", "code", "--", "code.py")
    ben.log()
    ben.memory.git("sync")
    edit(ada, FROM, "wordx11", f"wordx11 {ada.word()}")
    add(ada, OLD, f"\nA paragraph about {ada.word()}.\n")
    edit(ada, "memory/facts/base3.md", "wordx31", f"wordx31 {ada.word()}")
    ada.log()


def go_on_working(ada: Any) -> None:
    """Edit what is half brought in: where it was before, if it is still there."""
    note = FROM if line_of(ada, FROM, MOVED) else TO
    line = line_of(ada, note, MOVED)
    live = line.removeprefix("- ").removesuffix(f" ^{MOVED}\n")
    edit(ada, note, line, f"- ~~{live}~~ superseded 2026-01-20 ^{MOVED}\n")
    note = OLD if (ada.root / OLD).exists() else NEW
    edit(ada, note, "wordx20", "wordx20 worda900")
    ada.memory.log("Talked about worda901.", title="Meanwhile")


class Scene:
    """Two people between whom there is something to sync, set up anew for each kill."""

    def __init__(self, place: Path, syncs: Syncs) -> None:
        self._place, self._kept = place / "scene", place / "kept"
        self._syncs = syncs
        self._place.mkdir()
        people = team.team(self._place, seed=1)
        work(people)
        self.ada, self.ben = people
        for person in people:
            person.memory.close()
        shutil.copytree(self._place, self._kept, symlinks=True)
        self.ada.said |= {"worda900", "worda901"}

    def killed(self, at: int) -> Any:
        """Let ada sync, killed at a step; leave her to work on what there is then."""
        shutil.rmtree(self._place)
        shutil.copytree(self._kept, self._place, symlinks=True)
        self.ada.clock = FrozenClock("2026-01-20T10:00:00")
        told = self._syncs.run(self.ada, at)
        self.ada.clock.advance(hours=1)
        self.ada.open()
        return told

    def result(self, where: str) -> dict[str, bytes]:
        """Return the files of ada once she has synced again, and Git has all of them."""
        done = self._syncs.run(self.ada)
        assert done["refused"] == "", where
        self.ada.memory.close()
        assert self.ada.git("status", "--porcelain") == "", where
        assert self.ada.git("rev-parse", "HEAD") == self.ada.git("rev-parse", "origin/main"), where
        return team.files_of(self.ada.root)


@dataclass(frozen=True)
class Told:
    """A scene, the steps of a sync that nobody kills, and the files that every sync comes to."""

    scene: Scene
    steps: list[str]
    files: dict[str, bytes]

    def step(self, *marks: str) -> int:
        """Return the first step that has a mark, after one that has the mark before it."""
        at = 0
        for mark in marks:
            at = next(n for n, step in enumerate(self.steps[at:], at + 1) if mark in step)
        return at

    def check(
        self, at: int, then: Callable[[Any], None] = go_on_working, *, beside: str = "nothing"
    ) -> None:
        """Kill before a step, work on, sync, and say that all is as if nobody had been killed.

        Files whose paths begin with `beside` may be there too.
        """
        told = self.scene.killed(at)
        where = f"killed before step {at}: {self.steps[at - 1]}"
        assert told["died"], where
        then(self.scene.ada)
        left = self.scene.result(where)
        files = {path: data for path, data in left.items() if not path.startswith(beside)}
        wrong = "\n".join(team.differences(self.files, files))
        assert not wrong, f"{where}\n{wrong}"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, syncs: Syncs) -> Told:
    scene = Scene(tmp_path_factory.mktemp("kills"), syncs)
    whole = scene.killed(0)
    assert not whole["died"] and whole["refused"] == ""
    go_on_working(scene.ada)
    files = scene.result("not killed")
    assert line_of(scene.ada, FROM, MOVED) == ""
    assert "~~" in line_of(scene.ada, TO, MOVED)
    scene.ben.open()
    scene.ben.memory.git("sync")
    team.check((scene.ada, scene.ben))
    scene.ben.memory.close()
    return Told(scene, whole["steps"], files)


BEGUN, SENT = "read-tree -m -u", "vade: sync origin/main"


@pytest.mark.parametrize(
    "marks",
    [
        pytest.param((BEGUN, "rev-list"), id="code beside memory is there, no note yet"),
        pytest.param(
            (BEGUN, "open base3.md", "ledger.jsonl"),
            id="a note is there, its line in the ledger is not",
        ),
        pytest.param((BEGUN, "open base1.md"), id="a claim is where it went, and where it was"),
        pytest.param(
            (BEGUN, "rename base2.md"),
            id="a note is where it went, and where it was",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            (SENT,), id="all files are there, the branch is not moved", marks=pytest.mark.slow
        ),
        pytest.param(
            (SENT, "update-ref goes on"),
            id="the branch moves when nobody waits for it",
            marks=pytest.mark.slow,
        ),
        pytest.param((SENT, "update-index goes on", "os.rename"), id="the index is not noted"),
    ],
)
def test_a_sync_that_was_killed_is_gone_on_with_whatever_was_edited_since(
    marks: tuple[str, ...], told: Told
) -> None:
    told.check(told.step(*marks))


def test_what_the_user_committed_after_the_kill_is_merged_with_what_had_begun(told: Told) -> None:
    def commit_all(ada: Any) -> None:
        go_on_working(ada)
        ada.git("add", "-A")
        ada.git("commit", "-q", "-m", "by hand")

    told.check(told.step(BEGUN, "open base1.md"), commit_all)


def test_a_claim_and_a_note_that_went_on_elsewhere_after_the_kill_stand_once(told: Told) -> None:
    """What is moved is what the sync has not brought in yet, or what is left where it was."""
    further, renamed = "memory/facts/base4.md", "memory/projects/base2.md"

    def move_on(ada: Any) -> None:
        for note, id in ((FROM, MOVED), ("memory/facts/base3.md", "ba5e30")):
            line = line_of(ada, note, id)
            edit(ada, note, line, "")
            add(ada, further, line)
        (ada.root / renamed).parent.mkdir(exist_ok=True)
        (ada.root / OLD).rename(ada.root / renamed)

    told.scene.killed(told.step(BEGUN, "open base1.md"))
    move_on(told.scene.ada)
    files = told.scene.result("killed before the second of two notes")
    for id in (MOVED, "ba5e30"):
        rows = [line for _, line in team.lines_of(files) if line.endswith(f"^{id}")]
        assert len(rows) == 1, rows
    assert "wordb1" in line_of(told.scene.ada, further, "ba5e30")
    paths = [path for path, data in files.items() if b"^ba5e20" in data]
    assert len(paths) == 1, paths


def test_what_the_user_threw_away_after_the_kill_is_brought_in_again(told: Told) -> None:
    def throw_away(ada: Any) -> None:
        ada.git("checkout", "-q", "--", ".")
        go_on_working(ada)

    told.check(told.step(BEGUN, "rename base2.md"), throw_away, beside=".vade/conflicts/")


def test_nothing_is_committed_behind_a_write_while_a_sync_is_not_gone_on_with(told: Told) -> None:
    def commit(ada: Any) -> None:
        go_on_working(ada)
        done = ada.memory.git("commit")
        assert done.waiting > 0
        assert "sync was cut short" in done.why
        assert done.why in ada.memory.status().git

    told.check(told.step(BEGUN, "open base1.md"), commit)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_sync_killed_at_any_step_is_gone_on_with(part: int, told: Told) -> None:
    for at in range(1 + 4 * part, len(told.steps) + 1, 64):
        told.check(at)


# ------------------------------------------------------------ many syncs, killed at any step


def kill_often(people: tuple[Any, Any], syncs: Syncs, times: int, seed: int) -> list[str]:
    """Let both work, and kill every sync but the last ones; return where each was killed."""
    chance = random.Random(seed)
    kills = []
    for _ in range(times):
        for person in people:
            for _ in range(6):
                person.act()
        person = chance.choice(people)
        at = chance.randrange(1, LONGEST)
        told = syncs.run(person, at)
        assert not told["refused"], (told["refused"], kills)
        did = f"killed before step {at}: {told['steps'][-1]}" if told["died"] else "not killed"
        kills.append(f"{person.name} {did}")
    for person in (*people, *people):
        person.memory.git("sync")
    return kills


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_syncs_that_are_killed_at_any_moment_lose_nothing(
    seed: int, tmp_path: Path, syncs: Syncs
) -> None:
    people = team.team(tmp_path, seed)
    kills = kill_often(people, syncs, 15, seed)
    try:
        team.check(people)
    except AssertionError as error:
        error.add_note("\n".join(kills))
        raise
