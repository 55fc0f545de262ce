"""Which file is the index: the pointer, the seal against lost logs, and what may be swept away.

A live database is never renamed or deleted. A successor is built under a new name and the pointer
file is swapped; whoever has the earlier one open holds a shared lock on its `.use` file, and only
what nobody holds is removed.

The seal is a small file beside the database that holds a revision and a size: pages of later
revisions are nowhere but in the write-ahead log, and the file never shrinks. It is raised before
each checkpoint. A file whose revision is below its seal has lost its log, in whole or in part,
after some of it was copied; one that is shorter, or ends within a page, was cut.
"""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path

from vademecum.core.errors import IndexUnusable
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later

FIRST_NAME = "index.sqlite"
_POINTER = "index.current"
_NAME = later(r"index(?:-(\d{1,9}))?\.sqlite")
_SEAL = later(r"(\d{1,18}) (\d{1,18})\n", re.ASCII)
_SIDES = ("-wal", "-shm", ".seal", ".use")  # the lock goes last
_ATTEMPTS = 100


@dataclass(frozen=True, slots=True)
class Seal:
    """What a file has at least: a revision, and a size in bytes."""

    revision: int
    size: int


def current(directory: Path) -> Path:
    """Return the file that the pointer names; without a pointer, that of the first name."""
    pointer = directory / _POINTER
    try:
        name = pointer.read_text("utf-8", errors="replace").strip()
    except FileNotFoundError:
        return directory / FIRST_NAME
    if not _NAME.fullmatch(name):
        raise IndexUnusable(
            f"The pointer {pointer} does not name an index.",
            hint="Your notes are intact; `vade sync` builds the index anew.",
        )
    return directory / name


def mark_of(directory: Path, path: Path) -> tuple[int, ...]:
    """Return what differs once another file is current, or once `path` is another file: 2 stats."""
    try:
        stat = (directory / _POINTER).stat()
        pointer = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
    except OSError:
        pointer = (0, 0, 0)
    try:
        return (*pointer, path.stat().st_ino)
    except OSError:
        return (*pointer, 0)


def next_path(directory: Path) -> Path:
    """Return a name that no generation has had since the last sweep."""
    taken = [_number(path.name) for path in directory.glob("index*.sqlite*")]
    return directory / f"index-{max(taken, default=1) + 1}.sqlite"


def point_to(path: Path) -> None:
    """Make `path` the current index, atomically."""
    pointer = path.parent / _POINTER
    _replace(pointer, path.name + "\n")


def seal(path: Path, revision: int, size: int | None = None) -> None:
    """Promise that the file holds everything up to `revision`, durably, before it is copied.

    It has at least as many bytes as it has now, or `size` where that is less.
    """
    now = path.stat().st_size
    least = now if size is None else min(now, size)
    _replace(path.with_name(path.name + ".seal"), f"{revision} {least}\n")


def sealed(path: Path) -> Seal:
    """Return what the file must have at least; nothing when nothing was promised."""
    try:
        written = path.with_name(path.name + ".seal").read_text("ascii", errors="replace")
    except FileNotFoundError:
        return Seal(0, 0)
    match = _SEAL.fullmatch(written)
    if not match:
        raise IndexUnusable(f"The seal of the index {path} is damaged.")
    return Seal(int(match.group(1)), int(match.group(2)))


def hold(path: Path) -> int:
    """Return a descriptor that keeps `path` from being swept until it is closed."""
    use = path.with_name(path.name + ".use")
    for _ in range(_ATTEMPTS):
        descriptor = os.open(use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if use.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        os.close(descriptor)  # swept in between: its lock guards nothing any more
    raise IndexUnusable(f"The index {path} is being removed over and over by another process.")


def sweep(directory: Path, keep: Path) -> int:
    """Remove generations that are neither current nor `keep` nor open; return how many."""
    spared = {keep.name, current(directory).name}
    names = {
        match.group(0) for path in directory.iterdir() if (match := _NAME.match(path.name))
    } - spared
    return sum(_remove(directory / name) for name in sorted(names))


def _remove(path: Path) -> bool:
    use = path.with_name(path.name + ".use")
    descriptor = os.open(use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        path.unlink(missing_ok=True)
        for side in _SIDES:
            path.with_name(path.name + side).unlink(missing_ok=True)
        return True
    finally:
        os.close(descriptor)


def condemn(path: Path) -> None:
    """Break the seal of an index that is damaged where not every reader looks.

    Whoever opens it from now on is told, and the next sync builds it anew. Nothing happens where
    the state cannot be written.
    """
    with suppress(OSError):
        _replace(path.with_name(path.name + ".seal"), "damaged\n")


def _number(name: str) -> int:
    match = _NAME.match(name)
    return int(match.group(1) or 1) if match else 0


def _replace(path: Path, content: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, content.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    temporary.replace(path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
