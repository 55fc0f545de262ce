"""Files that appear whole: written without a name first, where the system can do that."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

_WRITING = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_DESCRIPTORS = "/proc/self/fd"
_NOT_NAMELESS = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})


def open_nameless(folder: int, mode: int) -> int | None:
    """Open a new file without a name on the disk of the open `folder`.

    It is gone when the process dies. None where the system has no such files. Raises OSError.
    """
    nameless = getattr(os, "O_TMPFILE", 0)
    if not nameless or not Path(_DESCRIPTORS).is_dir():
        return None
    try:
        return os.open(".", _WRITING | nameless, mode, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NOT_NAMELESS:
            raise
        return None


def name_it(descriptor: int, name: str, folder: int) -> None:
    """Give a file without a name one in `folder`. Raises FileExistsError when it is taken."""
    # The link itself would be linked without a descriptor for the folder: see linkat(2).
    os.link(f"{_DESCRIPTORS}/{descriptor}", name, dst_dir_fd=folder, follow_symlinks=True)


def write_whole(path: Path, content: bytes, *, durable: bool) -> None:
    """Put `content` at `path`, in a folder that exists, all at once. Raises OSError.

    With `durable` a loss of power loses neither the file nor its name; the names of the folders
    above are the caller's.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not _write_nameless(folder, path.name, content, durable=durable):
            _write_and_rename(folder, path.name, content, durable=durable)
        if durable:
            os.fsync(folder)
    finally:
        os.close(folder)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of `content`, however many writes it takes. Raises OSError."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_folder(folder: Path) -> None:
    """Return once the names in `folder` are durable. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folders(path: Path) -> None:
    """Make the folder `path` and those above it, private, so that a loss of power keeps them.

    Raises OSError.
    """
    if path.is_dir():
        return
    make_folders(path.parent)
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
    with contextlib.suppress(PermissionError):
        sync_folder(path.parent)


def _write_nameless(folder: int, name: str, content: bytes, *, durable: bool) -> bool:
    descriptor = open_nameless(folder, 0o600)
    if descriptor is None:
        return False
    try:
        write_all(descriptor, content)
        if durable:
            os.fsync(descriptor)
        name_it(descriptor, name, folder)
    except FileExistsError:
        return False
    finally:
        os.close(descriptor)
    return True


def _write_and_rename(folder: int, name: str, content: bytes, *, durable: bool) -> None:
    temporary = f".{name}.{os.urandom(4).hex()}"
    descriptor = os.open(temporary, _WRITING | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    try:
        write_all(descriptor, content)
        if durable:
            os.fsync(descriptor)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(temporary, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)
