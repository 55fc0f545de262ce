"""System calls that Python does not offer: open beneath a folder, exchange two names, leases."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import functools
import os
import platform
import signal
import sys
from collections.abc import Callable

_OPENAT2 = 437  # the same number on every Linux architecture
_RENAMEAT2 = {"x86_64": 316, "aarch64": 276, "riscv64": 276, "ppc64le": 357, "s390x": 347}
_RENAME_EXCHANGE = 2
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


@functools.cache
def _syscall() -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    return call


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    return result


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Open `path` below the open `folder`; no link is followed and nothing above is reached.

    Raises OSError: ENOSYS where the kernel has no such call, ELOOP for a link, EXDEV for a climb.
    """
    call = _syscall()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), path)
    how = _OpenHow(flags | os.O_CLOEXEC, 0, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    result = call(
        ctypes.c_long(_OPENAT2),
        ctypes.c_int(folder),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    return _checked(result, path)


def exchange(folder: int, first: str, second: str) -> None:
    """Swap what two names of one folder point to, at once: no moment has neither.

    Raises OSError; its number is in UNSUPPORTED where kernel or file system cannot do it.
    """
    call = _syscall()
    number = _RENAMEAT2.get(platform.machine())
    if call is None or number is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), second)
    result = call(
        ctypes.c_long(number),
        ctypes.c_int(folder),
        ctypes.c_char_p(os.fsencode(first)),
        ctypes.c_int(folder),
        ctypes.c_char_p(os.fsencode(second)),
        ctypes.c_uint(_RENAME_EXCHANGE),
    )
    _checked(result, second)


def being_written(descriptor: int) -> bool:
    """Whether some process has the file of this read-only descriptor open for writing.

    A read lease is granted only while nobody has. False also where leases do not exist or the file
    belongs to somebody else, so this is a hint that makes a race rare, never the only defence.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        # A lease that is broken sends SIGIO, which kills; SIGURG is ignored by default.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno in (errno.EAGAIN, errno.EACCES) and _owned(descriptor)
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def _owned(descriptor: int) -> bool:
    return os.geteuid() in (0, os.fstat(descriptor).st_uid)
