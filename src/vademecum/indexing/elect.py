"""One indexer at a time: elected by a lock that dies with its holder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from vademecum.core.errors import LockTimeout
from vademecum.workspace.locks import locked

_INDEXER = "indexer.lock"
_EMBEDDING = "embedding.lock"
_WATCHER = "watcher.lock"


@contextmanager
def elected(state: Path, wait: float = 0.0) -> Iterator[bool]:
    """Hold the office of indexer for the block; the value tells whether it was won.

    Another holder is waited for `wait` seconds. Raises StateUnwritable.
    """
    with _holding(state / "locks" / _INDEXER, wait) as won:
        yield won


@contextmanager
def embedding(state: Path) -> Iterator[bool]:
    """Hold the office of making vectors for the block; it leaves the indexer's to others."""
    with _holding(state / "locks" / _EMBEDDING, 0.0) as won:
        yield won


@contextmanager
def watching(state: Path) -> Iterator[bool]:
    """Hold the office of watcher for the block; the value tells whether it was won."""
    with _holding(state / "locks" / _WATCHER, 0.0) as won:
        yield won


def is_taken(state: Path) -> bool:
    """Tell whether some process holds the office of indexer at this moment."""
    return _is_held(state / "locks" / _INDEXER)


def is_indexing(state: Path) -> bool:
    """Tell whether some process reads notes into the index or makes vectors at this moment."""
    return is_taken(state) or _is_held(state / "locks" / _EMBEDDING)


def is_watching(state: Path) -> bool:
    """Tell whether some process watches the notes, and indexes what changes a moment later."""
    return _is_held(state / "locks" / _WATCHER)


def tick_of(state: Path) -> int:
    """Return the file system's own time in nanoseconds, as the holder of the indexer's lock.

    Stamps of files are compared with it, never with a clock of ours that may differ.
    """
    lock = state / "locks" / _INDEXER
    os.utime(lock)
    return lock.stat().st_mtime_ns


@contextmanager
def _holding(lock: Path, wait: float) -> Iterator[bool]:
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock, wait))
        except LockTimeout:
            won = False
        else:
            won = True
        yield won


def _is_held(lock: Path) -> bool:
    if not lock.exists():
        return False
    with _holding(lock, 0.0) as won:
        return not won
