"""One indexer at a time: elected by a lock that dies with its holder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from vademecum.core.errors import LockTimeout
from vademecum.core.frozen import dataclass
from vademecum.workspace.locks import locked

_INDEXER = "indexer.lock"
_EMBEDDING = "embedding.lock"
_WATCHER = "watcher.lock"
_SWEPT = "swept"
_NOW = "now"
"""A file whose only use is its stamp: the file system's own time, whoever holds which lock."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The last sweep that read everything that differed, claims included."""

    ago: float
    """Seconds since it began."""
    ledger: int
    """What the index holds: all that was written up to this byte of the ledger."""


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


def tell_swept(state: Path, tick: int, ledger: int) -> None:
    """Tell everybody of a sweep that left nothing out, as the holder of the indexer's lock.

    It began at `tick` of the file system, with `ledger` bytes in the ledger. Of no consequence
    where it cannot be told: others then sweep themselves.
    """
    told = state / _SWEPT
    beside = told.with_name(f"{_SWEPT}.{os.getpid()}")
    with suppress(OSError):
        beside.write_text(f"{ledger}\n", "ascii")
        os.utime(beside, ns=(tick, tick))
        beside.replace(told)


def last_swept(state: Path) -> Swept | None:
    """Return what is told of the last sweep that left nothing out, by whichever process.

    None where nothing is, or nothing that the clock of the file system allows for.
    """
    clock = state / "locks" / _NOW
    try:
        tick = (state / _SWEPT).stat().st_mtime_ns
        ledger = int((state / _SWEPT).read_text("ascii"))
        clock.touch()
        ago = (clock.stat().st_mtime_ns - tick) / 1e9
    except (OSError, ValueError):
        return None
    return Swept(ago, ledger) if ago >= 0 else None  # the clock was set back since


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
