"""Vectors for what has none yet: newest first, in small steps that an interruption cannot undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.frozen import dataclass
from vademecum.core.ports import Embedder, Index, PendingPassage, Purpose, Vector
from vademecum.core.search import Degradation
from vademecum.indexing.elect import elected, embedding
from vademecum.markdown.saying import said

_WINDOW = 1_024
_STEP = 32
_PATIENCE = 60.0
_MOST_REFUSED = 8
"""Texts that the embedder refuses one by one before it counts as out of order."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """How far embedding came."""

    done: int
    """Passages that got a vector now."""
    remaining: int
    """Chunks that still have none."""
    degraded: Degradation | None = None
    """Why it stopped early, when the embedder was at fault."""


class _Refused(Exception):
    """The embedder is out of order; carries its last error."""

    def __init__(self, error: EmbedderUnavailable) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(slots=True)
class _Run:
    state: Path
    index: Index
    embedder: Embedder
    refused: set[str]
    done: int = 0

    def step(self, passages: Sequence[PendingPassage]) -> None:
        """Embed and store; a text that is refused is told apart from its neighbours."""
        try:
            vectors = self.embedder.embed([said(one.passage) for one in passages], Purpose.PASSAGE)
        except EmbedderUnavailable as error:
            if error.transient or (len(passages) == 1 and not self._may_refuse(passages[0])):
                raise _Refused(error) from error
            if len(passages) > 1:
                half = len(passages) // 2
                self.step(passages[:half])
                self.step(passages[half:])
            return
        self._store(passages, vectors)

    def _store(self, passages: Sequence[PendingPassage], vectors: Sequence[Vector]) -> None:
        digests = [one.digest for one in passages]
        # The indexer's office only for the moment of storing: notes are folded in meanwhile.
        with elected(self.state, _PATIENCE) as won:
            if not won:
                raise _Refused(_busy())
            self.index.put_vectors(list(zip(digests, vectors, strict=True)))
        self.done += len(digests)

    def _may_refuse(self, passage: PendingPassage) -> bool:
        """Remember a refusal; False once there are many, or before anything succeeded twice."""
        self.refused.add(passage.digest)
        return len(self.refused) <= (_MOST_REFUSED if self.done else 1)


def embed_pending(
    state: Path,
    index: Index,
    embedder: Embedder,
    *,
    most: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Embedded:
    """Give vectors to passages without one, at most `most` and for about `seconds`.

    Every step is stored before the next begins, so stopping anywhere loses at most one step.
    `progress` gets passages done and chunks in all. A failing embedder ends it; what is searched
    by keywords is not touched. One process does this at a time, and `state` is where they agree.
    """
    with embedding(state) as won:
        if not won:
            reason = "Another process is making vectors."
            return Embedded(0, _remaining(index), Degradation("vectors", reason))
        return _embed(_Run(state, index, embedder, set()), most, seconds, progress)


def _embed(
    run: _Run,
    most: int | None,
    seconds: float | None,
    progress: Callable[[int, int], None] | None,
) -> Embedded:
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        _work(run, most, deadline, progress)
    except _Refused as refusal:
        error = refusal.error
        left = _remaining(run.index)
        return Embedded(run.done, left, Degradation("vectors", str(error), error.hint))
    left = _remaining(run.index)
    if run.refused:
        reason = f"The embedder refused {len(run.refused)} passages; keywords still find them."
        return Embedded(run.done, left, Degradation("vectors", reason))
    return Embedded(run.done, left)


def _work(
    run: _Run,
    most: int | None,
    deadline: float | None,
    progress: Callable[[int, int], None] | None,
) -> None:
    total = _remaining(run.index)
    while True:
        room = _WINDOW if most is None else min(_WINDOW, most - run.done)
        if room <= 0:
            return
        window = run.index.pending(room + len(run.refused))
        window = [one for one in window if one.digest not in run.refused][:room]
        if not window:
            return
        for start in range(0, len(window), _STEP):
            if deadline is not None and time.monotonic() >= deadline:
                return
            run.step(window[start : start + _STEP])
            if progress is not None:
                progress(run.done, max(total, run.done))


def _busy() -> EmbedderUnavailable:
    return EmbedderUnavailable(
        "Another process has been indexing for too long for vectors to be stored.",
        hint="Run `vade sync` again later.",
        transient=True,
    )


def _remaining(index: Index) -> int:
    counts = index.counts()
    return max(0, counts.chunks - counts.embedded)
