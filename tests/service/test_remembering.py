"""When `remember` looks for what an editor saved, and when it leaves that to a watcher."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.core.outcomes import Added, Outcome, Updated
from vademecum.core.provenance import Actor
from vademecum.indexing.elect import watching
from vademecum.service.memory import init
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
        note = root / "memory" / "facts" / "gateway.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(NOTE, encoding="utf-8")

    def remember(self, text: str) -> Outcome:
        return self._remembering.remember(text, Actor("tester"), Asked(kind="fact"))

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
        assert isinstance(bench.remember("The port of the gateway is 9090"), Updated)
