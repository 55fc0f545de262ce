"""What an error of the operating system means for memory: one sentence with file and remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from vademecum.core.errors import (
    DiskFull,
    InvalidPath,
    NoteNotFound,
    ReadOnly,
    StateUnwritable,
    StorageFailed,
    Unreadable,
    VademecumError,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_ABSENT = frozenset({errno.ENOENT})
_TOO_LONG = frozenset({errno.ENAMETOOLONG})


def failure(error: OSError, path: str, doing: str) -> VademecumError:
    """Return the error of the product that says what `error` means for `doing` with `path`.

    `doing` is an infinitive such as "read" or "append to".
    """
    number = error.errno
    reason = error.strerror or type(error).__name__
    if number in _FULL:
        return DiskFull(
            f"Could not {doing} {path}: no space is left ({reason}); what was there is intact.",
            hint="Free some space or raise the quota, then repeat the call.",
        )
    if number in _FORBIDDEN and doing == "read":
        return Unreadable(
            f"{path} exists but may not be read by this user ({reason}).",
            hint=f"Give yourself the right to read it: chmod u+r {path}.",
        )
    if number in _FORBIDDEN:
        return ReadOnly(
            f"Could not {doing} {path}: it or its folder may not be written ({reason}).",
            hint="Make the file and its folder writable for this user, or mount it read-write.",
        )
    if number in _ABSENT:
        return NoteNotFound(f"There is no file {path}.", hint="List what there is: vade status.")
    if number in _TOO_LONG:
        return InvalidPath(f"The path {path[:77]!r}… is too long for this file system.")
    if doing == "read":
        return Unreadable(
            f"{path} could not be read ({reason}).",
            hint="Check the disk and restore the file from a backup or from its history.",
        )
    return StorageFailed(
        f"Could not {doing} {path}: the disk answered {reason}; nothing was acknowledged.",
        hint="Check the disk (dmesg), then repeat the call.",
    )


@contextmanager
def translated(path: str, doing: str) -> Iterator[None]:
    """Turn every OSError of the block into the product's error for `doing` with `path`."""
    try:
        yield
    except OSError as error:
        raise failure(error, path, doing) from error


@contextmanager
def state_translated(path: object) -> Iterator[None]:
    """Turn every OSError of the block into StateUnwritable, or DiskFull where that is the cause."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise failure(error, str(path), "write") from error
        raise StateUnwritable(
            f"The state directory cannot be used at {path}: {error.strerror or error}.",
            hint="Make it writable for this user, or name another one with VADE_STATE_DIRECTORY.",
        ) from error
