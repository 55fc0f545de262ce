"""New versions beside their file, and swapping them in so that the old one can be looked at."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from vademecum.core.errors import ReadOnly
from vademecum.core.frozen import dataclass
from vademecum.workspace import syscalls
from vademecum.workspace.beneath import Place
from vademecum.workspace.whole import name_it, open_nameless, write_all

PREFIX = ".vade-"
_ASIDE = ".aside"
_WRITING = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_XATTR_REFUSALS = frozenset({errno.ENOTSUP, errno.EPERM, errno.ENODATA, errno.EACCES})


@dataclass(frozen=True, slots=True)
class Draft:
    """A new file, whole and durable, that has no name yet (or one that goes with it)."""

    folder: int
    descriptor: int
    name: str
    """Empty where the system makes files without a name, which are gone when the process dies."""

    def publish(self, name: str) -> None:
        """Let `name` in the folder point to it. Raises FileExistsError when it is taken."""
        if self.name:
            _link_or_move(self.folder, self.name, name)
        else:
            name_it(self.descriptor, name, self.folder)


@contextmanager
def draft(place: Place, content: bytes, like: int | None = None) -> Iterator[Draft]:
    """Write `content` to a new file on the disk of `place`; it is gone unless it is published.

    It gets mode, owner, group and extended attributes of the open file `like`.
    Raises ReadOnly where the owner cannot be kept, OSError.
    """
    mode = 0o666 if like is None else 0o600
    descriptor, name = _open_new(place.folder, mode)
    try:
        write_all(descriptor, content)
        if like is not None:
            _copy_attributes(like, descriptor, place.path)
        os.fsync(descriptor)
        yield Draft(place.folder, descriptor, name)
    finally:
        os.close(descriptor)
        if name:
            discard(place, name)


def new_name() -> str:
    """Return a name for a temporary file; no scan takes it for a note."""
    return f"{PREFIX}{secrets.token_hex(8)}"


def publish_again(place: Place, name: str) -> None:
    """Let `place` point to the file `name` beside it, if nothing is there.

    Raises FileExistsError when something is.
    """
    _link_or_move(place.folder, name, place.name)


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
    try:
        os.stat(temporary, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        _rename(place, temporary + _ASIDE, temporary)
    else:
        discard(place, temporary + _ASIDE)


def _open_new(folder: int, mode: int) -> tuple[int, str]:
    descriptor = open_nameless(folder, mode)
    if descriptor is not None:
        return descriptor, ""
    name = new_name()
    return os.open(name, _WRITING | os.O_CREAT | os.O_EXCL, mode, dir_fd=folder), name


def _link_or_move(folder: int, old: str, new: str) -> None:
    try:
        os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except PermissionError:
        # A file system without hard links: reserve the name, then put the file there.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        os.close(os.open(new, flags, dir_fd=folder))
        os.replace(old, new, src_dir_fd=folder, dst_dir_fd=folder)


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
