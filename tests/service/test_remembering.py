"""When `remember` looks for what an editor saved, and when it leaves that to a watcher."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from vademecum.core.outcomes import Added, AlreadyKnown, Outcome, Updated
from vademecum.core.provenance import Actor
from vademecum.indexing.elect import last_swept, watching
from vademecum.indexing.sync import sync
from vademecum.service.memory import init, open_memory
from vademecum.service.remembering import Asked, Remembering
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace, open_workspace

NOTE = "# Gateway\n\n- [inferred] The port of the gateway is 8080 (2026-01-02) ^a1b2c3\n"


class Stopwatch:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A memory that was swept once, in which an editor saved a claim since."""

    def __init__(self, root: Path) -> None:
        init(root)
        self.workspace: Workspace = open_workspace(root)
        self.seconds = Stopwatch()
        self._parts = Parts(self.workspace)
        self._remembering = Remembering(self.workspace, self._parts, seconds=self.seconds)
        self.remember("The ladder hangs in the shed")
        self.save("gateway.md", NOTE)

    def save(self, name: str, text: str) -> None:
        """Save a note as an editor does."""
        note = self.workspace.root / "memory" / "facts" / name
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, encoding="utf-8")

    def revision(self) -> int:
        return self._parts.index.counts().revision

    def kept(self) -> int:
        """Return of how many files the index is not asked."""
        return len(self._remembering._claims)

    def told(self) -> int:
        """Return when the last sweep began, by the stamp."""
        return (self.workspace.state / "swept").stat().st_mtime_ns

    def remember(self, text: str) -> Outcome:
        return self._remembering.remember(text, Actor("tester"), Asked(kind="fact"))

    def sweep(self) -> None:
        """Sweep as another process would."""
        with closing(Parts(self.workspace)) as parts:
            sync(self.workspace, parts.index)

    def age_sweeps(self, seconds: float) -> None:
        """Let the last sweep of any process have begun so long ago."""
        told = self.workspace.state / "swept"
        then = told.stat().st_mtime - seconds
        os.utime(told, (then, then))

    def indexed(self) -> bool:
        return "memory/facts/gateway.md" in self._parts.index.stamps()

    def close(self) -> None:
        self._parts.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "notes")
    yield made
    made.close()


@pytest.mark.req("W-02")
def test_what_an_editor_saved_is_compared_at_once(bench: Bench) -> None:
    bench.seconds.now = 1.0
    assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)


@pytest.mark.req("W-02", "B-02")
def test_a_watcher_is_left_to_look_for_it_for_five_seconds(bench: Bench) -> None:
    with watching(bench.workspace.state) as won:
        assert won
        bench.seconds.now = 4.9
        assert isinstance(bench.remember("The host of the gateway is alpha"), Added)
        assert not bench.indexed()
        bench.seconds.now = 5.1
        bench.age_sweeps(5.1)
        assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)


@pytest.mark.req("W-02", "B-02")
def test_the_sweep_of_another_process_is_not_made_once_more(bench: Bench) -> None:
    """The watcher's own sweep counts, so that nobody has to wait for the next one."""
    with watching(bench.workspace.state) as won:
        assert won
        bench.sweep()
        revision = bench.revision()
        bench.save("other.md", "# Other\n\n- [inferred] The port of the proxy is 80 ^d4e5f6\n")
        bench.seconds.now = 60.0
        assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)
        assert bench.revision() == revision, "nobody swept"


@pytest.mark.req("W-02", "B-02")
def test_what_others_indexed_is_left_to_the_index(bench: Bench) -> None:
    with watching(bench.workspace.state):
        for name in ("ladder", "kettle", "bridge"):
            bench.remember(f"The {name} was painted")
        assert bench.kept() == 3
        bench.sweep()
        bench.seconds.now = 3.0
        assert isinstance(bench.remember("The kettle was painted"), AlreadyKnown)
        assert bench.kept() == 0


@pytest.mark.req("W-02", "B-02")
def test_a_sweep_of_a_part_is_no_sweep(bench: Bench) -> None:
    before = bench.told()
    with closing(Parts(bench.workspace)) as parts:
        sync(bench.workspace, parts.index, paths=["memory/projects"])
    assert bench.told() == before
    bench.sweep()
    assert bench.told() != before


@pytest.mark.req("W-02")
def test_where_sweeps_cannot_be_told_of_everybody_sweeps(bench: Bench) -> None:
    told = bench.workspace.state / "swept"
    told.unlink()
    told.mkdir()
    assert last_swept(bench.workspace.state) is None
    bench.seconds.now = 1.0
    assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)


@pytest.mark.req("W-02", "B-02")
def test_a_clock_that_was_set_back_hides_nothing(bench: Bench) -> None:
    bench.age_sweeps(-3600)
    assert last_swept(bench.workspace.state) is None
    bench.seconds.now = 1.0
    assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)


@pytest.mark.req("W-02", "B-02")
def test_a_ledger_that_was_begun_anew_hides_nothing_of_others(bench: Bench) -> None:
    for name in ("ladder", "kettle"):
        bench.remember(f"The {name} was painted")
    with watching(bench.workspace.state):
        bench.workspace.ledger.path.unlink()
        other = open_memory(bench.workspace.root)
        with other:
            other.remember("The port of the proxy is 80", kind="fact")
        bench.seconds.now = 1.0
        assert isinstance(bench.remember("The port of the proxy is 81"), Updated)
