"""Files that a caller names outside of memory, read without waiting for what never comes."""

from __future__ import annotations

import os
import select
import stat
from pathlib import Path

LARGEST = 256_000_000
"""Bytes of one file; a window of two million tokens has about eight million."""
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NOTHING = (1, 3)
"""The device /dev/null, by which Git names a side that has no file."""


def given_file(file: Path) -> bytes:
    """Return what a file holds, or what the program at the other end of a pipe says.

    A pipe that no program has open for writing holds nothing: nobody waits for one. Raises OSError
    for what cannot be read, for devices (`/dev/null` is empty) and for more than `LARGEST` bytes.
    """
    try:
        descriptor = os.open(file, _FLAGS)
    except ValueError as error:  # a NUL byte in the name
        raise OSError(str(error)) from error
    with os.fdopen(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        device = (os.major(found.st_rdev), os.minor(found.st_rdev))
        if stat.S_ISCHR(found.st_mode) and device == _NOTHING:
            return b""
        if stat.S_ISFIFO(found.st_mode):
            os.set_blocking(descriptor, _is_being_filled(descriptor))
        elif not stat.S_ISREG(found.st_mode):
            raise OSError("it is neither a file nor a pipe")
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(f"it has more than {LARGEST:,} bytes")
    return data


def _is_being_filled(pipe: int) -> bool:
    """Whether a program has the pipe open for writing, or left something in it."""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    # Without a writer the end of a pipe is there at once; with one that is silent nothing is.
    return not any(event == select.POLLHUP for _, event in waiting.poll(0))
