"""How a workspace and its index stand: the answer of `status`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from vademecum.core.search import Coverage, Degradation


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
