"""How a workspace and its index stand: the answer of `status`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from vademecum.core.clock import human_day
from vademecum.core.errors import IndexUnusable
from vademecum.core.frozen import dataclass
from vademecum.core.ports import FileStamp, IndexCounts
from vademecum.core.search import Coverage, Degradation
from vademecum.indexing.elect import is_indexing, is_watching
from vademecum.lifecycle.warmth import Temperatures as Temperatures
from vademecum.lifecycle.warmth import temperatures
from vademecum.service.granting import Granted
from vademecum.service.wiring import Parts
from vademecum.workspace.git import repository_of
from vademecum.workspace.scan import Scan
from vademecum.workspace.workspace import Workspace
from vademecum.writing.commit import hindrance, is_set_up, waiting


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that is no note by policy."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where everything is, what is on disk at this moment and what the index holds of it.

    `changed`, `new` and `gone` count files whose state on disk the index does not have yet.
    """

    root: str
    id: str
    profile: str
    zone: str
    now: datetime
    state: str
    coverage: Coverage
    new: int
    changed: int
    gone: int
    pending: int
    """Passages without a vector."""
    skipped: tuple[SkippedFile, ...]
    embedder: str
    """Provider and model, or empty where there are no vectors by configuration."""
    index_bytes: int
    last_sync: datetime | None
    indexing: bool
    """A process is indexing at this moment."""
    watching: bool
    """A watcher runs."""
    degraded: tuple[Degradation, ...]
    sharing: Granted = Granted("")
    """Whose memory it is, who may read it, and whose may be read."""
    git: str = ""
    """How far Git has what was written, a sentence; empty where nothing is committed."""
    temperatures: Temperatures | None = None
    """How present the notes are, where that was asked for."""


def standing(workspace: Workspace, parts: Parts) -> Standing:
    """Return how things stand at this moment; nothing is changed.

    An index that cannot be read counts as empty and is named in `degraded`.
    """
    scan = workspace.scan()
    degraded: list[Degradation] = []
    try:
        counts, known = parts.index.counts(), parts.index.stamps()
    except IndexUnusable as error:
        counts, known = IndexCounts(0, 0, 0, 0), {}
        degraded.append(Degradation("index", str(error), error.hint))
    new, changed, gone = behind(scan, known)
    embedder = parts.embedder
    return Standing(
        root=str(workspace.root),
        id=workspace.id,
        profile=workspace.profile.name,
        zone=workspace.zone.key,
        now=workspace.clock.now(),
        state=str(workspace.state),
        coverage=Coverage(
            notes_on_disk=len(scan.files),
            notes_indexed=len(scan.files) - new,
            chunks=counts.chunks,
            chunks_embedded=counts.embedded,
            skipped=len(scan.skipped),
            unreadable=len(scan.failed),
        ),
        new=new,
        changed=changed,
        gone=gone,
        pending=max(counts.chunks - counts.embedded, 0) if embedder else 0,
        skipped=tuple(SkippedFile(one.path, one.reason) for one in (*scan.failed, *scan.skipped)),
        embedder=f"{embedder.identity.provider} {embedder.identity.model}" if embedder else "",
        index_bytes=sum(file.stat().st_size for file in workspace.state.glob("index*.sqlite*")),
        last_sync=_last_sync(workspace),
        indexing=is_indexing(workspace.state),
        watching=is_watching(workspace.state),
        degraded=tuple(degraded),
        git=_git(workspace),
    )


def temperatures_of(
    workspace: Workspace, limit: int, progress: Callable[[str, int, int], None] | None
) -> Temperatures:
    """Return how present the notes are on this local day, the `limit` hottest by name."""
    today = human_day(workspace.clock.now(), workspace.zone)
    return temperatures(workspace, today, limit=limit, progress=progress)


def _git(workspace: Workspace) -> str:
    if not is_set_up(workspace):
        return ""
    left = waiting(workspace)
    if not left:
        return "everything that was written is committed"
    why = hindrance(workspace, repository_of(workspace.root))
    return f"{left:,} not committed yet" + (f": {why}" if why else "")


def behind(scan: Scan, known: Mapping[str, tuple[FileStamp, str]]) -> tuple[int, int, int]:
    """Return how many notes the index lacks, has otherwise than they are, and has though gone.

    One that was read just after it had changed is looked at once more by the next sweep; it
    counts as known.
    """
    new = changed = 0
    for path, stamp in scan.files.items():
        if path not in known:
            new += 1
        elif not _is_same(stamp, known[path][0]):
            changed += 1
    return new, changed, sum(scan.is_gone(path) for path in known)


def _is_same(stamp: FileStamp, remembered: FileStamp) -> bool:
    if remembered.changed < 0:
        remembered = remembered._replace(changed=stamp.changed)
    return stamp == remembered


def _last_sync(workspace: Workspace) -> datetime | None:
    try:
        tick = (workspace.state / "locks" / "indexer.lock").stat().st_mtime
    except OSError:
        return None
    return datetime.fromtimestamp(tick, workspace.zone)
