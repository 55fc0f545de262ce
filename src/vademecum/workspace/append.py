"""Adding bytes at the end of an open file: whole and durable, or not at all."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass

APPENDING = os.O_RDWR | os.O_APPEND


@dataclass(frozen=True, slots=True)
class Landed:
    """Where appended bytes lie in their file."""

    offset: int
    payload: bytes
    """What was added, with the newline that the last line lacked."""


def add(descriptor: int, data: bytes) -> Landed:
    """Append `data` in one write, on a line of its own, and return once it is durable.

    `descriptor` is open with APPENDING and the caller holds the file's lock. When less than
    everything fits, or the disk does not confirm it, the file is cut back to what it was.
    Raises OSError.
    """
    payload = data if ends_whole(descriptor) else b"\n" + data
    size = os.fstat(descriptor).st_size
    try:
        offset = _write_whole(descriptor, payload)
        os.fsync(descriptor)
    except OSError:
        _cut_back(descriptor, size, payload)
        raise
    return Landed(offset, payload)


def ends_whole(descriptor: int) -> bool:
    """Whether the file is empty or its last byte is a newline."""
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def _write_whole(descriptor: int, payload: bytes) -> int:
    written = os.write(descriptor, payload)
    if written < len(payload):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    # With O_APPEND the position after the write says where the bytes went, whoever else wrote.
    return os.lseek(descriptor, 0, os.SEEK_CUR) - written


def _cut_back(descriptor: int, size: int, payload: bytes) -> None:
    """Remove the part of `payload` behind `size`, unless others wrote there meanwhile."""
    tail = os.pread(descriptor, len(payload) + 1, size)
    if tail and payload.startswith(tail):
        os.ftruncate(descriptor, size)
