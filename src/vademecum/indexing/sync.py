"""Bring the index up to what is on disk, one process at a time, in batches whole or absent."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace

from vademecum.core.errors import (
    IndexUnusable,
    InvalidPath,
    NoteNotFound,
    StorageFailed,
    Unreadable,
)
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Note, Properties
from vademecum.core.ports import (
    DropNote,
    Embedder,
    FileStamp,
    Index,
    IndexState,
    KeyedClaim,
    NoteChange,
    NoteRecord,
    PutNote,
    TouchNote,
)
from vademecum.core.search import Degradation
from vademecum.indexing.claims import FEW_NOTES, holds_claims, keyed_claims, read_ahead
from vademecum.indexing.diff import Plan, plan, settled_stamp
from vademecum.indexing.elect import elected, tell_swept, tick_of
from vademecum.indexing.embed import Embedded, embed_pending
from vademecum.indexing.recipe import rules_of
from vademecum.indexing.seen import Seen
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.scan import Scan, Skipped
from vademecum.workspace.workspace import Workspace

_BATCH_NOTES = 200
_BATCH_SECONDS = 0.2
_GROWTH = 4
"""A batch may be twice its predecessor up to this many times the first: the fewer transactions,
the less is merged again and again, and the first is to be found at once."""
_BATCH_BYTES = 16_000_000

Progress = Callable[[str, int, int], None]
"""Gets the stage (`reading`, `claims` or `embedding`), how much is done, and of how much (0: not
known)."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync saw and did."""

    elected: bool
    """False: another process is indexing, and this one changed nothing."""
    scan: Scan
    added: int = 0
    changed: int = 0
    moved: int = 0
    """Of those added, how many were gone elsewhere with the same content."""
    touched: int = 0
    """Only their stat had moved."""
    removed: int = 0
    remaining: int = 0
    """Notes that differ from the index still: no time, or another process is at them."""
    unreadable: tuple[Skipped, ...] = ()
    """Notes that could not be read, each with the reason: of them the index has what it had."""
    defective: tuple[Skipped, ...] = ()
    """Notes that were read and are not, or not throughout, text."""
    rebuilt: str = ""
    """Why the index was made anew, if it was."""
    embedded: Embedded | None = None
    degraded: tuple[Degradation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Run:
    """The arguments of `sync`."""

    workspace: Workspace
    index: Index
    embedder: Embedder | None
    paths: Collection[str] | None
    wait: float
    seconds: float | None
    progress: Progress | None
    claims: int | None


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    moved: int = 0
    touched: int = 0
    removed: int = 0
    remaining: int = 0
    unreadable: list[Skipped] = field(default_factory=list)
    defective: list[Skipped] = field(default_factory=list)


def sync(
    workspace: Workspace,
    index: Index,
    embedder: Embedder | None = None,
    *,
    paths: Collection[str] | None = None,
    wait: float = 0.0,
    seconds: float | None = None,
    progress: Progress | None = None,
    claims: int | None = None,
) -> SyncReport:
    """Fold into `index` what changed on disk, then read claims, then embed what has no vector.

    `paths` restricts it to files or folders. Another indexer is waited for `wait` seconds. After
    `seconds` reading stops between two batches and the report says what remains; without a limit an
    outdated index is made anew beside the old one. A damaged one is always replaced. The claims of
    a few changed notes come with their words; where those of more than `claims` notes wait, they
    wait on. Raises
    StateUnwritable, DiskFull and IndexUnusable; a note that cannot be read is reported, not raised.
    """
    run = _Run(workspace, index, embedder, paths, wait, seconds, progress, claims)
    try:
        return _sync(run)
    except IndexUnusable:
        # Damage may show only in what is read on the way; a successor is written, once.
        if index.condition().state is not IndexState.DAMAGED:
            raise
    return _sync(run)


def _sync(run: _Run) -> SyncReport:
    with elected(run.workspace.state, run.wait) as won:
        if not won:
            return _standing_back(run.workspace, run.index, run.paths)
        ledger = run.workspace.ledger.size()
        sweep = _Sweep(run)
        report = sweep.report()
        if report.remaining == 0:
            _read_claims(run)
            whole = sweep.of_everything and not (report.unreadable or report.scan.failed)
            if whole and not run.index.unread_claims(1):
                tell_swept(run.workspace.state, sweep.tick, ledger)
    if run.embedder is None:
        return report
    embedded = embed_pending(
        run.workspace.state,
        run.index,
        run.embedder,
        seconds=run.seconds,
        progress=_embedding_only(run.progress),
    )
    if embedded.done:
        with elected(run.workspace.state, run.wait) as won:
            if won:
                run.index.tidy()
    degraded = (embedded.degraded,) if embedded.degraded else ()
    return replace(report, embedded=embedded, degraded=report.degraded + degraded)


def _read_claims(run: _Run) -> None:
    progress, most = run.progress, run.claims
    if most is not None and len(run.index.unread_claims(most + 1)) > most:
        return
    read_ahead(
        run.workspace,
        run.index,
        seconds=run.seconds,
        progress=None if progress is None else lambda done, total: progress("claims", done, total),
    )


def _embedding_only(progress: Progress | None) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress("embedding", done, total)


def _standing_back(workspace: Workspace, index: Index, paths: Collection[str] | None) -> SyncReport:
    scan = workspace.scan(paths)
    ahead = plan(scan, index.stamps(), paths)
    reason = "Another process is indexing."
    degraded = (Degradation("index", reason, "Ask again in a moment."),) if not ahead.empty else ()
    return SyncReport(False, scan, remaining=len(ahead.look) + len(ahead.gone), degraded=degraded)


class _Sweep:
    """One run of the elected indexer."""

    def __init__(self, run: _Run) -> None:
        self._workspace = run.workspace
        self._index = run.index
        self._paths = run.paths
        self._deadline = None if run.seconds is None else time.monotonic() + run.seconds
        self._progress = run.progress
        self._rules = rules_of(run.workspace.settings.chunk)
        self._tally = _Tally()
        self.tick = tick_of(run.workspace.state)
        self._seen = Seen(run.workspace.state)
        self._few = True

    @property
    def of_everything(self) -> bool:
        """Whether it was restricted to nothing."""
        return self._paths is None

    def report(self) -> SyncReport:
        """Sweep, and say what was done."""
        condition = self._index.condition()
        degraded: list[Degradation] = []
        rebuilt = ""
        if condition.state is IndexState.DAMAGED:
            rebuilt = condition.reason
            self._start_over()
            degraded.append(Degradation("index", rebuilt, "It was built anew from the files."))
        if condition.state is IndexState.OUTDATED and self._deadline is None:
            rebuilt = condition.reason
            scan, whole = self._build_beside()
        else:
            scan, whole = self._fold_into(self._index, self._paths)
            if condition.state is IndexState.OUTDATED:
                degraded.append(Degradation("index", condition.reason, "Run `vade sync`."))
        if whole or rebuilt:
            self._index.tidy()
        return self._report(scan, rebuilt, tuple(degraded))

    def _start_over(self) -> None:
        """Put an empty index in place of a damaged one at once: it answers by and by."""
        fresh = self._index.renew()
        fresh.publish()
        fresh.close()
        self._paths = None

    def _build_beside(self) -> tuple[Scan, bool]:
        """Read everything into a successor; the present index answers until it is whole."""
        fresh = self._index.renew()
        try:
            done = self._fold_into(fresh, None)
            fresh.publish()
        finally:
            fresh.close()
        return done

    def _fold_into(self, index: Index, paths: Collection[str] | None) -> tuple[Scan, bool]:
        """Apply what changed; the second value tells whether that was most of the index."""
        scan = self._workspace.scan(paths)
        counts = index.counts()
        if index is self._index and self._seen.matches(scan, counts):
            return scan, False
        stamps = index.stamps()
        ahead = plan(scan, stamps, paths)
        if not ahead.empty:
            with state_translated(self._workspace.state):
                self._seen.forget()
            self._apply(index, scan, ahead, stamps)
        elif index is self._index and paths is None and not scan.failed:
            self._seen.remember(scan, counts)
        return scan, len(ahead.look) > max(_BATCH_NOTES, len(stamps))

    def _apply(
        self,
        index: Index,
        scan: Scan,
        ahead: Plan,
        stamps: Mapping[str, tuple[FileStamp, str]],
    ) -> None:
        gone_digests = {stamps[path][1] for path in ahead.gone}
        total = len(ahead.look)
        self._few = total <= FEW_NOTES
        batch: list[NoteChange] = [DropNote(path) for path in ahead.gone]
        self._tally.removed = len(ahead.gone)
        started = time.monotonic()
        size, growth = 0, 1
        for done, path in enumerate(ahead.look, 1):
            change = self._change_of(path, scan.files[path], stamps.get(path), gone_digests)
            if change is not None:
                batch.append(change)
            size += scan.files[path].size
            short = time.monotonic() - started < growth * _BATCH_SECONDS
            if short and len(batch) < growth * _BATCH_NOTES and size < _BATCH_BYTES:
                continue
            index.apply(batch)
            batch, size = [], 0
            growth = min(2 * growth, _GROWTH) if self._deadline is None else 1
            started = time.monotonic()
            self._tell("reading", done, total)
            if self._deadline is not None and started >= self._deadline:
                self._tally.remaining = total - done
                return
        if batch:
            index.apply(batch)
        self._tell("reading", total, total)

    def _change_of(
        self,
        path: str,
        stamp: FileStamp,
        known: tuple[FileStamp, str] | None,
        gone_digests: Collection[str],
    ) -> NoteChange | None:
        try:
            content = self._workspace.files.read(path)
        except NoteNotFound:
            return None  # it went between scan and reading: the next sweep drops it
        except (Unreadable, InvalidPath, StorageFailed) as error:
            self._tally.unreadable.append(Skipped(path, str(error)))
            return None
        remembered = settled_stamp(stamp, self.tick)
        if known is not None and known[1] == content.digest:
            if known[0] == remembered:
                return None  # looked at once more, and the stamp is not to be trusted yet
            self._tally.touched += 1
            return TouchNote(path, remembered)
        if known is not None:
            self._tally.changed += 1
        else:
            self._tally.added += 1
            self._tally.moved += content.digest in gone_digests
        return self._put(path, content.data, content.digest, remembered)

    def _put(self, path: str, data: bytes, digest: str, stamp: FileStamp) -> PutNote:
        # Most sweeps find nothing to read, and then loading these is most of what they cost.
        from vademecum.markdown.chunk import chunk_note  # noqa: PLC0415
        from vademecum.markdown.lines import decode, is_binary  # noqa: PLC0415
        from vademecum.markdown.parse import parse_note  # noqa: PLC0415

        role = self._workspace.role_of(path)
        if is_binary(data):
            self._tally.defective.append(Skipped(path, "is binary, though named like a note"))
            title = path.rsplit("/", 1)[-1]
            # Remembered without text: it is known, and not read again before it changes.
            nothing = Note(path, title, role, Properties(), (), (), None, 0)
            return PutNote(NoteRecord(nothing, stamp, digest), ())
        decoded = decode(data)
        if decoded.defect:
            self._tally.defective.append(Skipped(path, decoded.defect))
        note = parse_note(path, decoded.text, role)
        chunks = chunk_note(note, decoded.text, self._rules)
        claims: tuple[KeyedClaim, ...] | None = ()
        if holds_claims(self._workspace, path):
            claims = keyed_claims(path, decoded.text) if self._few else None
        return PutNote(NoteRecord(note, stamp, digest), chunks, claims)

    def _tell(self, stage: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(stage, done, total)

    def _report(
        self,
        scan: Scan,
        rebuilt: str,
        degraded: tuple[Degradation, ...],
    ) -> SyncReport:
        tally = self._tally
        return SyncReport(
            elected=True,
            scan=scan,
            added=tally.added,
            changed=tally.changed,
            moved=tally.moved,
            touched=tally.touched,
            removed=tally.removed,
            remaining=tally.remaining,
            unreadable=tuple(tally.unreadable),
            defective=tuple(tally.defective),
            rebuilt=rebuilt,
            degraded=degraded,
        )
