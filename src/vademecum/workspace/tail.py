"""Adding bytes at the end of an open file: whole and durable, or not at all."""

from __future__ import annotations

import errno
import os

APPENDING = os.O_RDWR | os.O_APPEND


def repaired(descriptor: int, data: bytes) -> bytes:
    """Return `data`, after the newline that the last line of the file lacks, if it lacks one."""
    size = os.fstat(descriptor).st_size
    whole = size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"
    return data if whole else b"\n" + data


def add(descriptor: int, payload: bytes) -> int:
    """Append `payload` in one write; return its offset in the file once it is durable.

    `descriptor` is open with APPENDING and the caller holds the file's lock. When less than
    everything fits, or the disk does not confirm it, the file is cut back to what it was.
    Raises OSError.
    """
    size = os.fstat(descriptor).st_size
    try:
        offset = _write_whole(descriptor, payload)
        os.fsync(descriptor)
    except OSError:
        _cut_back(descriptor, size, payload)
        raise
    return offset


def _write_whole(descriptor: int, payload: bytes) -> int:
    written = os.write(descriptor, payload)
    if written < len(payload):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    # With O_APPEND the position after the write says where the bytes went, whoever else wrote.
    return os.lseek(descriptor, 0, os.SEEK_CUR) - written


def _cut_back(descriptor: int, size: int, payload: bytes) -> None:
    """Remove the part of `payload` behind `size`, unless others wrote there meanwhile."""
    rest = os.pread(descriptor, len(payload) + 1, size)
    if rest and payload.startswith(rest):
        os.ftruncate(descriptor, size)
