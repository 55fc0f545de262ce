"""Opening files beneath the root of a workspace, and nothing outside it."""

from __future__ import annotations

import os
import stat
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vademecum.core.errors import InvalidPath, NoteNotFound, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.workspace.bounds import Bounds
from vademecum.workspace.disk_errors import failure, translated
from vademecum.workspace.paths import checked, key_of, portable

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LEASED = 1000
_PAUSE = 0.001


@dataclass(frozen=True, slots=True)
class Place:
    """A name in an open folder: where a file is, or would be."""

    folder: int
    """Descriptor; valid only inside the block that opened it."""
    name: str
    """As the disk spells it, which may be another Unicode form than that of `path`."""
    path: str
    """Relative to the root, NFC."""


class Root:
    """A directory beneath which everything is opened.

    Links are never followed, whatever they point to; only regular files are opened, and none in a
    workspace inside this one. `by_kernel` chooses between openat2 and a walk over the components,
    None tries the first.
    """

    def __init__(
        self, directory: Path, *, bounds: Bounds | None = None, by_kernel: bool | None = None
    ) -> None:
        self.directory = directory
        self.bounds = bounds or Bounds(directory)
        self._by_kernel = by_kernel

    @contextmanager
    def place(self, path: str, *, create: bool = False) -> Iterator[Place]:
        """Open the folder of `path` for the block; `create` makes the folders that are missing.

        Raises InvalidPath and NoteNotFound (no such folder).
        """
        clean = portable(path) if create else checked(path)
        self.bounds.check_choice(clean)
        folder_path, _, name = clean.rpartition("/")
        folder = self._open_folder(folder_path, clean, create=create)
        try:
            yield Place(folder, _spelled(folder, name), clean)
        finally:
            os.close(folder)

    def open_file(self, place: Place, flags: int) -> int:
        """Open the regular file at `place` with `flags`; the caller closes it.

        Raises FileNotFoundError as it is, InvalidPath for anything that is no regular file or has
        another name outside the root, else what `disk_errors.failure` says.
        """
        doing = "read" if flags & os.O_ACCMODE == os.O_RDONLY else "write"
        try:
            descriptor = _open_unleased(place, flags | _FILE)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._refusal(error, place, doing) from error
        try:
            self._check_kind(descriptor, place)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def check_new(self, place: Place) -> None:
        """Raise InvalidPath when the folder holds another spelling of the name of `place`."""
        _check_twins(place.folder, place.name, place.path)

    # ------------------------------------------------------------ folders

    def _open_folder(self, folder_path: str, whole: str, *, create: bool) -> int:
        with translated(str(self.directory), "open"):
            root = os.open(self.directory, _FOLDER)
        if not folder_path:
            return root
        try:
            self.bounds.check(root, whole)
            opened = None if self._by_kernel is False else self._ask_kernel(root, folder_path)
            if opened is not None:
                return opened
            return self._walk(root, folder_path, whole, create=create)
        finally:
            os.close(root)

    def _ask_kernel(self, root: int, folder_path: str) -> int | None:
        """Return the folder's descriptor, or None for the walk to find out why there is none."""
        from vademecum.workspace import (  # noqa: PLC0415  loads ctypes, which a hook goes without
            syscalls,
        )

        try:
            return syscalls.open_beneath(root, folder_path, _FOLDER)
        except OSError as error:
            if self._by_kernel and error.errno in syscalls.UNSUPPORTED:
                raise
            return None

    def _walk(self, root: int, folder_path: str, whole: str, *, create: bool) -> int:
        current = os.dup(root)
        try:
            for part in folder_path.split("/"):
                following = _step(current, _spelled(current, part), whole, create=create)
                os.close(current)
                current = following
        except BaseException:
            os.close(current)
            raise
        return current

    # ------------------------------------------------------------ files

    def _refusal(self, error: OSError, place: Place, doing: str) -> Exception:
        try:
            mode = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False).st_mode
        except OSError:
            return failure(error, place.path, doing)
        if stat.S_ISREG(mode):
            return failure(error, place.path, doing)
        return _no_regular_file(place.path, mode)

    def _check_kind(self, descriptor: int, place: Place) -> None:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise _no_regular_file(place.path, found.st_mode)
        if found.st_nlink <= 1:
            return
        inside = self._names_inside(found)
        # Another writer may have removed a name since: only the present count decides.
        if os.fstat(descriptor).st_nlink > inside:
            raise InvalidPath(
                f"{place.path} is a hard link to a file that has a name outside the workspace.",
                hint=f"Make it a file of its own: cp {place.path} copy && mv copy {place.path}.",
            )

    def _names_inside(self, found: os.stat_result) -> int:
        inside = 0
        for folder, below, _ in os.walk(self.directory):
            inner = Path(folder).relative_to(self.directory)
            below[:] = [name for name in below if not self.bounds.closes((inner / name).as_posix())]
            with os.scandir(folder) as entries:
                inside += sum(
                    1
                    for entry in entries
                    if entry.inode() == found.st_ino
                    and entry.stat(follow_symlinks=False).st_dev == found.st_dev
                )
        return inside


def _open_unleased(place: Place, flags: int) -> int:
    """Open; a lease that another process holds for a moment (see `reading.settled`) is waited for.

    An ordinary open would wait by itself, one that never waits for a pipe is turned away instead.
    """
    for _ in range(_LEASED):
        try:
            return os.open(place.name, flags, dir_fd=place.folder)
        except BlockingIOError:
            time.sleep(_PAUSE)
    return os.open(place.name, flags, dir_fd=place.folder)


def _step(folder: int, name: str, whole: str, *, create: bool) -> int:
    flags = _FOLDER | os.O_NOFOLLOW
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        if not create:
            raise NoteNotFound(
                f"There is no file {whole}: the folder {name} does not exist.",
                hint="List what there is: vade status.",
            ) from None
    except OSError as error:
        raise _no_folder(error, folder, name, whole) from error
    _check_twins(folder, name, whole)
    with translated(whole, "make the folder of"):
        try:
            os.mkdir(name, 0o777, dir_fd=folder)
            os.fsync(folder)
        except FileExistsError:
            pass  # somebody else made it meanwhile
        return os.open(name, flags, dir_fd=folder)


def _no_folder(error: OSError, folder: int, name: str, whole: str) -> Exception:
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return failure(error, whole, "open the folder of")
    if stat.S_ISLNK(mode):
        return InvalidPath(
            f"{whole} leads through the symbolic link {name}, and links are not followed.",
            hint="Give the path of the file itself, or replace the link by a folder.",
        )
    if not stat.S_ISDIR(mode):
        return InvalidPath(f"{whole} leads through {name}, which is no folder.")
    if isinstance(error, PermissionError):
        return Unreadable(
            f"{whole} is out of reach: this user may not enter the folder {name}.",
            hint="Give yourself the right to it: chmod u+rwx FOLDER.",
        )
    return failure(error, whole, "open the folder of")


def _no_regular_file(path: str, mode: int) -> InvalidPath:
    kinds = (
        (stat.S_ISLNK, "a symbolic link, and links are not followed"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    )
    kind = next((word for test, word in kinds if test(mode)), "a device")
    return InvalidPath(
        f"{path} is {kind}; memory consists of regular files.",
        hint="Replace it by a file, or name another path.",
    )


def _spelled(folder: int, name: str) -> str:
    """Return the spelling under which the folder holds `name`, else `name`.

    Some systems keep the decomposed form of an accent; the name is the same to a person.
    """
    if name.isascii():
        return name
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        for found in os.listdir(folder):
            if unicodedata.normalize("NFC", found) == name:
                return found
    return name


def twins_beside(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Return of each path below `root` what is there and is the same name on some systems.

    That is a file, or the folder that the path would lie in; paths that have no twin are left out.
    """
    names: dict[str, dict[str, list[str]]] = {}
    found: dict[str, str] = {}
    for path in paths:
        above = ""
        for part in path.split("/"):
            if above not in names:
                names[above] = _names_by_key(root / above)
            others = [name for name in names[above].get(key_of(part), ()) if name != part]
            if others:
                found[path] = f"{above}{others[0]}"
                break
            above = f"{above}{part}/"
    return found


def _names_by_key(folder: Path) -> dict[str, list[str]]:
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError:
        return {}  # not there yet, or no folder
    by_key: dict[str, list[str]] = {}
    for name in names:
        by_key.setdefault(key_of(name), []).append(unicodedata.normalize("NFC", name))
    return by_key


def _check_twins(folder: int, name: str, whole: str) -> None:
    key = key_of(name)
    with translated(whole, "look beside"):
        names = os.listdir(folder)
    for found in names:
        # Most names are plain ones, and their key is found in a tenth of the time.
        same = found.lower() == key if found.isascii() else key_of(found) == key
        if same and found != name:
            raise InvalidPath(
                f"{whole} cannot be made: its folder holds {found}, "
                "which is the same name on some systems.",
                hint=f"Use {found}, or choose a name that differs in more than case or accents.",
            )
