"""Read your writes: a sweep before each search, cheap and no more often than it is worth."""

from __future__ import annotations

import time
from collections.abc import Callable

from vademecum.core.ports import Embedder, Index
from vademecum.core.search import Coverage
from vademecum.indexing.embed import embed_pending
from vademecum.indexing.glance import Glance
from vademecum.indexing.sync import SyncReport, sync
from vademecum.workspace.workspace import Workspace

_LONGEST_REST = 1.0
_REST_PER_SWEEP = 8.0
"""At most a ninth of the time goes into sweeps, however often one searches."""
_QUICK = 0.01
"""Seconds of a sweep below which none is ever spared: what was just written is always found."""
_PATIENCE = 2.0
"""Seconds that a search may spend on reading changed notes before it answers with what there is."""
_FEW_PASSAGES = 64
"""Passages without a vector that a search makes up for at once: about a second, once."""
_NEWEST_PASSAGES = 8
"""Of more than that a search embeds the newest only, so that what was just written is understood
while a long sync is still to come."""
_SOME_NOTES = 300
"""Notes whose claims a search reads before it answers: under a second, once. More wait for a
sync."""


class Refresher:
    """Keeps one index fresh enough to answer; one for each open memory."""

    def __init__(
        self,
        workspace: Workspace,
        index: Index,
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._workspace = workspace
        self._index = index
        self._rested_until = float("-inf")
        self._last: SyncReport | None = None
        self._glance: Glance | None = None

    def expect_change(self) -> None:
        """Look again at the next call, however recent the last sweep is: something was written."""
        self._rested_until = float("-inf")

    def refresh(self, embedder: Embedder | None = None, *, claims: bool = False) -> SyncReport:
        """Fold in what changed on disk and return what was seen.

        A sweep just done is not repeated for a moment (a second at most, less where sweeping is
        quick) unless a glance at folders and at the newest notes shows a change. A few new passages
        are embedded on the spot if `embedder` is given; of many only the newest, the others are
        left to `vade sync`. With `claims` those of many notes are read as well, for two seconds at
        most. Raises IndexUnusable and StorageFailed as `sync` does.
        """
        now = self._seconds()
        if self._last is not None and now < self._rested_until and not self._sees_change():
            return self._last
        most = None if claims else _SOME_NOTES
        report = sync(self._workspace, self._index, seconds=_PATIENCE, claims=most)
        took = self._seconds() - now
        self._last = report
        if report.remaining == 0 and not _did_something(report) and took > _QUICK:
            self._rested_until = now + took + min(_LONGEST_REST, _REST_PER_SWEEP * took)
            self._glance = Glance(self._workspace.root, report.scan)
        if embedder is not None and report.elected and report.remaining == 0:
            self._embed_few(embedder)
        return report

    def _sees_change(self) -> bool:
        return self._glance is not None and self._glance.sees_change()

    def coverage(self) -> Coverage:
        """Return how much of what the last sweep saw can be found."""
        counts = self._index.counts()
        scan = self._last.scan if self._last is not None else self._workspace.scan()
        indexed = counts.notes
        unreadable = len(scan.failed) + (len(self._last.unreadable) if self._last else 0)
        if unreadable:
            # The index keeps what it knew below a folder that cannot be read: counts mislead.
            indexed = sum(path in scan.files for path in self._index.stamps())
        return Coverage(
            notes_on_disk=len(scan.files),
            notes_indexed=indexed,
            chunks=counts.chunks,
            chunks_embedded=counts.embedded,
            skipped=len(scan.skipped),
            unreadable=unreadable,
        )

    def _embed_few(self, embedder: Embedder) -> None:
        counts = self._index.counts()
        missing = counts.chunks - counts.embedded
        if missing <= 0:
            return
        most = _FEW_PASSAGES if missing <= _FEW_PASSAGES else _NEWEST_PASSAGES
        embed_pending(self._workspace.state, self._index, embedder, most=most)


def _did_something(report: SyncReport) -> bool:
    """Whether notes were read, so that the time it took says nothing about the next sweep."""
    return bool(report.added or report.changed or report.removed or report.rebuilt)
