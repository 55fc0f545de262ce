"""Locks between processes: flock on side files that the kernel frees when their holder dies."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vademecum.core.errors import LockTimeout
from vademecum.core.ids import text_digest
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.paths import key_of
from vademecum.workspace.whole import make_folders

PATIENCE = 30.0
"""Seconds that a writer waits for another one; each write takes milliseconds."""

_BUSY = frozenset({errno.EAGAIN, errno.EACCES})
_GLANCE = 0.5
"""Seconds after which whoever waits looks whether it still wants to."""


def _nothing() -> None:
    """Do nothing while waiting."""


@contextmanager
def locked(
    side_file: Path, timeout: float = PATIENCE, meanwhile: Callable[[], None] = _nothing
) -> Iterator[int]:
    """Hold the exclusive lock of `side_file` (made when missing, never removed) for the block.

    The block is given the open file: a process that inherits it holds the lock until it ends too.
    Threads exclude each other as processes do; a thread that locks the same file twice waits for
    itself. `meanwhile` is called twice a second while this waits; what it raises ends that. Raises
    LockTimeout after `timeout` seconds and StateUnwritable.
    """
    descriptor = _open(side_file)
    try:
        _acquire(descriptor, side_file, timeout, meanwhile)
        yield descriptor
    finally:
        os.close(descriptor)


def lock_of(directory: Path, path: str) -> Path:
    """Return the side file in `directory` for a file of the workspace.

    All spellings of a name share one. There are at most 256, so two files may share one too:
    whoever holds the lock of a file takes no other file's.
    """
    return directory / f"{text_digest(key_of(path))[:2]}.lock"


def _open(side_file: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    with state_translated(side_file):
        try:
            return os.open(side_file, flags, 0o600)
        except FileNotFoundError:
            make_folders(side_file.parent)
            return os.open(side_file, flags, 0o600)


def _acquire(
    descriptor: int, side_file: Path, timeout: float, meanwhile: Callable[[], None]
) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _BUSY:
            with state_translated(side_file):
                raise
    else:
        return
    if timeout <= 0 or not _waited_in_line(descriptor, side_file, timeout, meanwhile):
        raise LockTimeout(
            f"Another process held the lock {side_file} for more than {timeout:g} seconds.",
            hint="Look for a vade process that is stopped or stuck, end it, and try again.",
        )


def _waited_in_line(
    descriptor: int, side_file: Path, timeout: float, meanwhile: Callable[[], None]
) -> bool:
    """Take the lock when its turn comes; return False when that takes longer than `timeout`.

    The kernel wakes those who wait in the order in which they came, and at once: whoever polls
    instead is overtaken by whoever polls more often. A wait in the kernel knows no end, so that a
    thread waits there.
    """
    import threading  # noqa: PLC0415  only where somebody waits

    waiting = os.dup(descriptor)  # if nobody waits any more, the lock is let go with this one
    over = threading.Event()
    refused: list[OSError] = []

    def wait() -> None:
        try:
            fcntl.flock(waiting, fcntl.LOCK_EX)
        except OSError as error:
            refused.append(error)
        finally:
            os.close(waiting)
            over.set()

    threading.Thread(target=wait, name=f"waiting for {side_file.name}", daemon=True).start()
    deadline = time.monotonic() + timeout
    while not over.wait(min(max(deadline - time.monotonic(), 0.0), _GLANCE)):
        if time.monotonic() >= deadline:
            return False
        meanwhile()
    if refused:
        with state_translated(side_file):
            raise refused[0]
    return True
