"""What lies at a source: every file, and what is never opened; no link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from vademecum.core.errors import NotFound, Refused, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import blake2b
from vademecum.core.migration import Passed
from vademecum.workspace.config import FILE as CONFIGURATION
from vademecum.workspace.copies import is_conflict_copy
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.ignore import DEFAULT_FOLDERS

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_READ_SIZE = 1 << 20
ANOTHER_WORKSPACE = "a workspace of its own"
"""Why a folder with a vade.toml, or one that is an agent's memory, is passed over."""
KNOWN_DOT_FOLDERS = frozenset({".archive", ".claude", ".claude-shared", ".learnings"})
_KNOWN_DOT_FILES = frozenset({".seed.md", ".memfs.config.json"})
_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)


@dataclass(frozen=True, slots=True)
class Item:
    """One regular file: path relative to the root of its tree, and size in bytes."""

    path: str
    size: int

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything below a directory, or one file of it."""

    root: Path
    items: tuple[Item, ...]
    passed: tuple[Passed, ...] = ()
    odd: tuple[Passed, ...] = ()
    """Symbolic links and what is no regular file."""

    def read(self, path: str, most: int = -1) -> bytes:
        """Return what a file holds, or its first `most` bytes. Raises Unreadable."""
        parts = []
        for part in self.stream(path):
            parts.append(part)
            if 0 <= most <= sum(map(len, parts)):
                break
        data = b"".join(parts)
        return data if most < 0 else data[:most]

    def stream(self, path: str) -> Iterator[bytes]:
        """Yield what a file holds, a megabyte at a time. Raises Unreadable."""
        with opened(self.root, path) as descriptor, translated(path, "read"):
            while part := os.read(descriptor, _READ_SIZE):
                yield part

    def digest(self, path: str) -> str:
        """Return `ids.digest_of` the file, without holding it."""
        made = blake2b(digest_size=16)
        for part in self.stream(path):
            made.update(part)
        return made.hexdigest()

    def below(self, folder: str) -> Tree:
        """Return the part of the tree below a folder; its paths begin there."""
        head = f"{folder}/" if folder else ""
        inner = tuple(
            Item(item.path.removeprefix(head), item.size)
            for item in self.items
            if item.path.startswith(head)
        )
        return Tree(self.root / folder if folder else self.root, inner)


def inventory(source: Path, *, without: Path | None = None, others: Collection[Path] = ()) -> Tree:
    """Return what lies at `source`, a file or a directory.

    `without` is left out with all below, and so is each workspace inside of a directory: one of
    `others`, or any folder with a vade.toml.

    Raises NotFound, Refused (a link, a pipe, …) and Unreadable.
    """
    try:
        mode = source.lstat().st_mode
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise NotFound(f"There is nothing at {source}.", hint="Check the path.") from error
    if stat.S_ISREG(mode):
        item = Item(source.name, source.lstat().st_size)
        return Tree(source.parent.resolve(), (item,))
    if not stat.S_ISDIR(mode):
        kind = next((word for test, word in _KINDS if test(mode)), "no file")
        raise Refused(
            f"{source} is {kind}, and those are never followed.",
            hint="Name the file or the directory itself.",
        )
    return _walked(source.resolve(), without, others)


@contextmanager
def opened(root: Path, path: str) -> Iterator[int]:
    """Open a regular file below `root`, through no link; the descriptor closes with the block.

    Raises Unreadable.
    """
    *folders, name = path.split("/")
    current = -1
    try:
        current = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for folder in folders:
            following = os.open(folder, _FOLDER, dir_fd=current)
            os.close(current)
            current = following
        descriptor = os.open(name, _FILE, dir_fd=current)
    except OSError as error:
        raise Unreadable(
            f"{path} could not be read ({error.strerror}).",
            hint="It may have been changed or removed meanwhile; run it again.",
        ) from error
    finally:
        if current >= 0:
            os.close(current)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable(f"{path} is no regular file any more.", hint="Run it again.")
        yield descriptor
    finally:
        os.close(descriptor)


def _walked(root: Path, without: Path | None, others: Collection[Path]) -> Tree:
    items: list[Item] = []
    passed: list[Passed] = []
    odd: list[Passed] = []
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            entries = sorted(os.scandir(f"{root}/{prefix}"), key=lambda entry: entry.name)
        except OSError as error:
            passed.append(Passed(prefix or "./", error.strerror or "it cannot be listed"))
            continue
        for entry in entries:
            path = prefix + entry.name
            if entry.is_symlink():
                odd.append(Passed(path, f"a symbolic link to {_target(entry.path)}"))
            elif entry.is_dir(follow_symlinks=False):
                if why := _why_not(entry, without, others):
                    passed.append(Passed(f"{path}/", why))
                else:
                    waiting.append(f"{path}/")
            else:
                _sort(entry, path, items, passed, odd)
    return Tree(root, tuple(sorted(items, key=lambda item: item.path)), tuple(passed), tuple(odd))


def _sort(
    entry: os.DirEntry[str], path: str, items: list[Item], passed: list[Passed], odd: list[Passed]
) -> None:
    found = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        kind = next((word for test, word in _KINDS if test(found.st_mode)), "no regular file")
        odd.append(Passed(path, kind))
    elif entry.name.startswith(".") and entry.name not in _KNOWN_DOT_FILES:
        passed.append(Passed(path, "a hidden file"))
    elif is_conflict_copy(entry.name):
        passed.append(Passed(path, "the version that lost a conflict of synchronisation"))
    else:
        items.append(Item(path, found.st_size))


def _why_not(entry: os.DirEntry[str], without: Path | None, others: Collection[Path]) -> str:
    if without is not None and Path(entry.path).resolve() == without:
        return "the workspace that it is moved into"
    if Path(entry.path) in others or os.path.lexists(f"{entry.path}/{CONFIGURATION}"):
        return ANOTHER_WORKSPACE
    if entry.name.casefold() in DEFAULT_FOLDERS:
        return "a folder of other people's files"
    if entry.name.startswith(".") and entry.name not in KNOWN_DOT_FOLDERS:
        return "a hidden folder"
    return ""


def _target(path: str) -> str:
    try:
        return str(Path(path).readlink())
    except OSError:
        return "somewhere"
