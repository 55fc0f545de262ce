"""Vectors are made newest first, in steps that last, by whoever is not in the way."""

from __future__ import annotations

import os
import threading
from array import array
from collections.abc import Sequence
from typing import Any

import pytest

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector
from vademecum.indexing.elect import embedding
from vademecum.indexing.embed import embed_pending
from vademecum.indexing.sync import sync


class Scripted:
    """An embedder that follows a script: how many texts it takes, and which it refuses."""

    identity = EmbedderIdentity("scripted", "one", 4)

    def __init__(self, most: int = 10**9, refuses: str = "\0", transient: bool = False) -> None:
        self.most, self.refuses, self.transient = most, refuses, transient
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        assert purpose is Purpose.PASSAGE
        if len(self.seen) + len(texts) > self.most:
            raise EmbedderUnavailable("The service is gone.", hint="Start it.", transient=True)
        if any(self.refuses in text for text in texts):
            raise EmbedderUnavailable("Too odd.", transient=self.transient)
        self.seen += texts
        return [array("f", [1.0, 0.0, 0.0, 0.0]) for _ in texts]

    def close(self) -> None:
        """Nothing is open."""


def fill(desk: Any, count: int) -> None:
    for number in range(count):
        file = desk.write(f"{number:03}.md", f"# Note {number:03}\n\nheron {number:03}\n")
        os.utime(file, ns=(number * 10**9, number * 10**9))


@pytest.mark.req("I-03")
def test_the_newest_notes_get_their_vectors_first(desk: Any) -> None:
    fill(desk, 80)
    index = desk.index(identity=Scripted.identity)
    embedder = Scripted()
    sync(desk.workspace(), index, embedder)
    assert [text[-3:] for text in embedder.seen] == [f"{n:03}" for n in reversed(range(80))]
    assert index.counts().embedded == 80


@pytest.mark.req("I-03", "R-01")
def test_a_claim_is_embedded_by_what_it_says(desk: Any) -> None:
    line = "- [stated] Herons wade (2026-01-03, from [[2026-01-03#08:48 — Memory flush]]) ^a1b2c3"
    desk.write("heron.md", f"# Heron\n\n{line}\n")
    embedder = Scripted()
    sync(desk.workspace(), desk.index(identity=Scripted.identity), embedder)
    assert embedder.seen == ["Heron\n- Herons wade"]


@pytest.mark.req("I-03", "R-07")
def test_a_provider_that_fails_midway_leaves_what_was_made_and_is_named(desk: Any) -> None:
    fill(desk, 100)
    index = desk.index(identity=Scripted.identity)
    report = sync(desk.workspace(), index, Scripted(most=70))
    assert report.embedded is not None
    assert (report.embedded.done, report.embedded.remaining) == (64, 36)
    assert report.degraded[-1].part == "vectors"
    assert report.degraded[-1].reason == "The service is gone."
    assert report.degraded[-1].remedy == "Start it."
    assert desk.found(index, "heron")
    second = Scripted()
    sync(desk.workspace(), index, second)
    assert len(second.seen) == 36, "nothing is embedded twice"


@pytest.mark.req("I-03")
def test_an_interruption_loses_at_most_the_step_it_falls_into(desk: Any) -> None:
    fill(desk, 100)
    index = desk.index(identity=Scripted.identity)

    def interrupt(stage: str, done: int, _total: int) -> None:
        if stage == "embedding" and done >= 64:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync(desk.workspace(), index, Scripted(), progress=interrupt)
    assert desk.index(identity=Scripted.identity).counts().embedded == 64
    again = Scripted()
    sync(desk.workspace(), index, again)
    assert len(again.seen) == 36


@pytest.mark.req("I-03")
def test_one_text_that_is_refused_does_not_hold_up_the_others(desk: Any) -> None:
    fill(desk, 50)
    index = desk.index(identity=Scripted.identity)
    done = sync(desk.workspace(), index, Scripted(refuses="heron 049")).embedded
    assert done is not None
    assert (done.done, done.remaining) == (49, 1)
    assert done.degraded is not None
    assert "refused 1 passage" in done.degraded.reason


@pytest.mark.req("R-07")
def test_an_embedder_that_refuses_everything_is_asked_only_a_few_times(desk: Any) -> None:
    fill(desk, 200)
    index = desk.index(identity=Scripted.identity)
    done = sync(desk.workspace(), index, Scripted(refuses="Note")).embedded
    assert done is not None
    assert (done.done, done.remaining) == (0, 200)
    assert done.degraded is not None
    assert done.degraded.reason == "Too odd."


@pytest.mark.req("I-03")
def test_only_one_process_makes_vectors(desk: Any) -> None:
    fill(desk, 3)
    workspace = desk.workspace()
    index = desk.index(identity=Scripted.identity)
    sync(workspace, index)
    with embedding(workspace.state) as won:
        assert won
        done = embed_pending(workspace.state, index, Scripted())
    assert (done.done, done.remaining) == (0, 3)
    assert done.degraded is not None


@pytest.mark.req("I-01", "I-03")
def test_notes_are_folded_in_while_another_makes_vectors(desk: Any) -> None:
    fill(desk, 40)
    workspace = desk.workspace()
    index = desk.index(identity=Scripted.identity)
    sync(workspace, index)
    begun, folded = threading.Event(), threading.Event()

    class Slow(Scripted):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
            begun.set()
            assert folded.wait(20)
            return super().embed(texts, purpose)

    other = desk.index(identity=Scripted.identity)
    thread = threading.Thread(target=lambda: embed_pending(workspace.state, other, Slow()))
    thread.start()
    assert begun.wait(20)
    desk.write("late.md", "# Late\n\nnewt\n")
    assert sync(workspace, index).added == 1
    assert desk.found(index, "newt") == {"late.md"}
    folded.set()
    thread.join(20)
    assert index.counts().embedded == 41


@pytest.mark.req("I-03")
def test_most_and_seconds_bound_the_work(desk: Any) -> None:
    fill(desk, 100)
    workspace = desk.workspace()
    index = desk.index(identity=Scripted.identity)
    sync(workspace, index)
    assert embed_pending(workspace.state, index, Scripted(), most=10).done == 10
    assert embed_pending(workspace.state, index, Scripted(), seconds=0.0).done == 0
