"""Locks between processes: flock on side files that the kernel frees when their holder dies."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vademecum.core.errors import LockTimeout
from vademecum.core.ids import text_digest
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.paths import key_of
from vademecum.workspace.whole import make_folders

PATIENCE = 30.0
"""Seconds that a writer waits for another one; each write takes milliseconds."""

_FIRST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.01
_BUSY = frozenset({errno.EAGAIN, errno.EACCES})


@contextmanager
def locked(side_file: Path, timeout: float = PATIENCE) -> Iterator[None]:
    """Hold the exclusive lock of `side_file` (made when missing, never removed) for the block.

    Threads exclude each other as processes do; a thread that locks the same file twice waits for
    itself. Raises LockTimeout after `timeout` seconds and StateUnwritable.
    """
    descriptor = _open(side_file)
    try:
        _acquire(descriptor, side_file, timeout)
        yield
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


def _acquire(descriptor: int, side_file: Path, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in _BUSY:
                with state_translated(side_file):
                    raise
        if time.monotonic() >= deadline:
            raise LockTimeout(
                f"Another process held the lock {side_file} for more than {timeout:g} seconds.",
                hint="Look for a vade process that is stopped or stuck, end it, and try again.",
            )
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
