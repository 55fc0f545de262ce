"""Reading a whole file, and waiting until nobody is in the middle of writing it."""

from __future__ import annotations

import os
import stat
import time

from vademecum.core.errors import ReadOnly
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.core.ports import FileStamp
from vademecum.workspace.syscalls import being_written

_READ_SIZE = 1 << 20
_PATIENCE = 1.0
"""Seconds that a writer in place is waited for; an editor needs milliseconds."""
_PAUSE = 0.002


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was read: what an edit is made from."""

    path: str
    data: bytes
    digest: str
    stamp: FileStamp
    mode: int
    """Permission bits."""


def content_of(descriptor: int, path: str) -> Content:
    """Return what the open file holds. Raises OSError."""
    data = read_all(descriptor)
    found = os.fstat(descriptor)
    return Content(path, data, digest_of(data), stamp_of(found), stat.S_IMODE(found.st_mode))


def read_all(descriptor: int) -> bytes:
    """Return everything in the open file, from its start. Raises OSError."""
    parts = []
    offset = 0
    while part := os.pread(descriptor, _READ_SIZE, offset):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def stamp_of(found: os.stat_result) -> FileStamp:
    """Return the stamp of a stat."""
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settled(descriptor: int, patience: float = _PATIENCE) -> bool:
    """Wait until no process has the file of this read-only descriptor open for writing.

    Return False when one still has after `patience` seconds.
    """
    deadline = time.monotonic() + patience
    while being_written(descriptor):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def check_writable(content: Content) -> None:
    """Raise ReadOnly when the file says that nobody may write it, also to the superuser."""
    if not content.mode & 0o222:
        raise ReadOnly(
            f"{content.path} is read-only and was left as it is.",
            hint=f"If it should change, allow it first: chmod u+w {content.path}.",
        )
