"""New versions beside their file, and swapping them in so that the old one can be looked at."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat

from vademecum.core.errors import ReadOnly
from vademecum.workspace import syscalls
from vademecum.workspace.beneath import Place
from vademecum.workspace.blobs import write_all

PREFIX = ".vade-"
_ASIDE = ".aside"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_XATTR_REFUSALS = frozenset({errno.ENOTSUP, errno.EPERM, errno.ENODATA, errno.EACCES})


def write_beside(place: Place, content: bytes, like: int | None) -> str:
    """Write `content` to a new file in the folder of `place`; return its name once it is durable.

    It gets mode, owner, group and extended attributes of the open file `like`.
    Raises ReadOnly where the owner cannot be kept, OSError.
    """
    name = f"{PREFIX}{secrets.token_hex(8)}"
    descriptor = os.open(name, _NEW, 0o600 if like is not None else 0o666, dir_fd=place.folder)
    try:
        write_all(descriptor, content)
        if like is not None:
            _copy_attributes(like, descriptor, place.path)
        os.fsync(descriptor)
    except BaseException:
        discard(place, name)
        raise
    finally:
        os.close(descriptor)
    return name


def discard(place: Place, name: str) -> None:
    """Remove a temporary file, if it is there."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=place.folder)


def swap_in(place: Place, temporary: str) -> None:
    """Let `place` point to `temporary`, and `temporary` to what stood at `place` before.

    Where the system cannot exchange names, the old file is linked aside first; where it cannot do
    that either, `temporary` is gone afterwards and the displaced version stays unseen.
    Raises OSError.
    """
    try:
        syscalls.exchange(place.folder, temporary, place.name)
    except OSError as error:
        if error.errno not in syscalls.UNSUPPORTED:
            raise
        _replace_with_aside(place, temporary)


def bring_back_aside(place: Place, temporary: str) -> None:
    """Finish a swap without exchange that was cut off between its two renames, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        os.stat(temporary, dir_fd=place.folder, follow_symlinks=False)
        return
    _rename(place, temporary + _ASIDE, temporary)


def discard_aside(place: Place, temporary: str) -> None:
    """Remove the link that a swap made aside and never came to use, if there is one."""
    discard(place, temporary + _ASIDE)


def _replace_with_aside(place: Place, temporary: str) -> None:
    aside = temporary + _ASIDE
    with contextlib.suppress(OSError):
        os.link(
            place.name,
            aside,
            src_dir_fd=place.folder,
            dst_dir_fd=place.folder,
            follow_symlinks=False,
        )
    os.replace(temporary, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    _rename(place, aside, temporary)


def _rename(place: Place, old: str, new: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.rename(old, new, src_dir_fd=place.folder, dst_dir_fd=place.folder)


def _copy_attributes(source: int, target: int, path: str) -> None:
    wanted, made = os.fstat(source), os.fstat(target)
    if (wanted.st_uid, wanted.st_gid) != (made.st_uid, made.st_gid):
        _copy_owner(wanted, target, path)
    os.fchmod(target, stat.S_IMODE(wanted.st_mode))
    if hasattr(os, "listxattr"):
        _copy_extended(source, target)


def _copy_owner(wanted: os.stat_result, target: int, path: str) -> None:
    try:
        os.fchown(target, wanted.st_uid, wanted.st_gid)
    except PermissionError as error:
        if wanted.st_uid != os.geteuid():
            raise ReadOnly(
                f"{path} belongs to another user, and a new version would change its owner.",
                hint=f"Ask its owner to write it, or take it over: chown $USER {path}.",
            ) from error


def _copy_extended(source: int, target: int) -> None:
    try:
        names = os.listxattr(source)
    except OSError:
        return
    for name in names:
        try:
            os.setxattr(target, name, os.getxattr(source, name))
        except OSError as error:
            if error.errno not in _XATTR_REFUSALS:
                raise
