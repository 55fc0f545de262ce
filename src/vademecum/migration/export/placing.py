"""Where an export goes: beside its place first, then swapped in whole, never over other files."""

from __future__ import annotations

import glob
import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from vademecum.core.errors import NotFound, Refused, Unreadable
from vademecum.core.ids import blake2b, digest_of
from vademecum.migration.inventory import Tree
from vademecum.migration.receipt import NAME, Receipt, Writing, read_receipt
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.syscalls import exchange
from vademecum.workspace.whole import write_all
from vademecum.workspace.workspace import Workspace

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_LONGEST_HEAD = 4096
_NAMED = 3
"""Files named when a refusal lists some."""


def place_of(workspace: Workspace, named: str | Path) -> Path:
    """Return the path at which an export is to be, absolute.

    Raises Refused for one within the workspace or its state, one that holds either, and a link;
    NotFound where the folder that it is to be in is not there.
    """
    given = Path(named).expanduser()
    try:
        parent = given.absolute().parent.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise NotFound(
            f"There is no folder {given.absolute().parent} to export into.",
            hint="Make it first, or name another place.",
        ) from error
    if given.name in ("", ".", ".."):
        parent, name = parent.parent, parent.name
    else:
        name = given.name
    place = parent / name
    if place.is_symlink():
        raise Refused(
            f"{place} is a symbolic link, and those are never followed.",
            hint="Name the place itself.",
        )
    for own in (workspace.root, workspace.state):
        if place.is_relative_to(own) or own.is_relative_to(place):
            raise Refused(
                f"{place} is in the workspace or its state, or holds them.",
                hint="Name a place outside: an export within memory would be memory again.",
            )
    return place


class Folder:
    """A folder in the making."""

    def __init__(self, at: Path, named: Path, receipt: Writing) -> None:
        self._at = at
        self._named = named
        self._receipt = receipt
        self._rows: BinaryIO | None = None
        self._made: set[str] = set()
        self.files = 0

    def write(self, path: str, data: bytes, source: str = "") -> None:
        """Make the file `path`; `source` is the note that it was. Raises StorageFailed."""
        shown = f"{self._named}/{path}"
        folder = path.rpartition("/")[0]
        with translated(shown, "write"):
            if folder and folder not in self._made:
                (self._at / folder).mkdir(parents=True, exist_ok=True)
                self._made.add(folder)
            descriptor = os.open(self._at / path, _NEW, 0o666)
            try:
                write_all(descriptor, data)
            finally:
                os.close(descriptor)
            self._note(self._receipt.row(path, source, digest_of(data)))
        self.files += 1

    def begin(self) -> None:
        """Begin the receipt."""
        with translated(str(self._named), "write"):
            self._rows = (self._at / NAME).open("wb")
            self._rows.write(self._receipt.head)
            self._rows.flush()  # by it the rest of a killed export is known

    def end(self) -> None:
        """Seal the receipt; what was written is on disk then."""
        with translated(str(self._named), "write"):
            self._note(self._receipt.last())
            if self._rows is not None:
                self._rows.flush()
                os.fsync(self._rows.fileno())

    def close(self) -> None:
        """Let go of the receipt."""
        if self._rows is not None:
            self._rows.close()

    def _note(self, line: bytes) -> None:
        if self._rows is not None:
            self._rows.write(line)


@contextmanager
def new_folder(workspace: Workspace, place: Path, form: str) -> Iterator[Folder]:
    """Give a folder to write into, which is at `place` once the block has ended well.

    Until then, and where anything fails, what was there before stays as it was. Hidden files and
    folders that others put there, `.git` and `.obsidian` among them, go over to the new one.
    Raises Refused where other files lie there, or an export of this workspace that was changed.
    """
    check_earlier(workspace, place)
    _sweep(workspace, place)
    beside = place.with_name(f".{place.name}.vade-{secrets.token_hex(4)}")
    with translated(str(place), "write"):
        beside.mkdir(mode=0o777)
    made = Folder(beside, place, Writing(form, workspace, workspace.clock.now()))
    try:
        made.begin()
        yield made
        made.end()
        made.close()
        with translated(str(place), "write"):
            _swap(beside, place)
    finally:
        made.close()
        shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def new_file(place: Path, is_ours: bytes) -> Iterator[BinaryIO]:
    """Give a file to write into, which is at `place` once the block has ended well.

    `is_ours` stands at the beginning of an earlier export of this workspace, which alone is
    replaced. Raises Refused.
    """
    if place.exists() or place.is_symlink():
        head = _head(place, len(is_ours))
        if head != is_ours:
            raise Refused(
                f"{place} is no earlier export of this workspace, so it was left as it is.",
                hint="Name a file that is not there yet.",
            )
    for left in _left_beside(place):
        if _head(left, len(is_ours)) == is_ours:
            left.unlink(missing_ok=True)
    beside = place.with_name(f".{place.name}.vade-{secrets.token_hex(4)}")
    with translated(str(place), "write"):
        descriptor = os.open(beside, _NEW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file, translated(str(place), "write"):
            yield file
            file.flush()
            os.fsync(file.fileno())
        with translated(str(place), "write"):
            beside.replace(place)
    finally:
        with suppress(OSError):
            beside.unlink()


def check_earlier(workspace: Workspace, place: Path) -> Receipt | None:
    """Return the receipt of what is at `place`; None where nothing is. Raises Refused."""
    try:
        mode = place.lstat().st_mode
        names = os.listdir(place) if stat.S_ISDIR(mode) else [""]  # noqa: PTH208  names are enough
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"{place} cannot be listed: {error.strerror}.") from error
    if not names:
        return None
    receipt = _receipt_at(workspace, place) if NAME in names else None
    if receipt is None or receipt.workspace != workspace.id:
        raise Refused(
            f"{place} holds something that is no earlier export of this workspace.",
            hint="Name a folder that is empty or not there yet.",
        )
    changed = sorted(_changed(place, receipt))
    if changed:
        others = f" and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else ""
        raise Refused(
            f"The export at {place} was changed since it was made "
            f"({', '.join(changed[:_NAMED])}{others}), so it was left as it is.",
            hint="Move those changes in with `vade migrate`, or export to another place.",
        )
    return receipt


def _receipt_at(workspace: Workspace, place: Path) -> Receipt | None:
    try:
        return read_receipt(Tree(place, ()).read(NAME), workspace)
    except Unreadable:
        return None


def _changed(place: Path, receipt: Receipt) -> Iterator[str]:
    """Yield the files that are not what the export wrote; hidden ones of others do not count."""
    seen: set[str] = set()
    for at, folders, names in os.walk(place):
        inner = Path(at).relative_to(place).as_posix()
        head = "" if inner == "." else f"{inner}/"
        tops = {path.partition("/")[0] for path in receipt.rows}
        if not head:
            folders[:] = [name for name in folders if not name.startswith(".") or name in tops]
        for name in [*names, *(name for name in folders if (Path(at) / name).is_symlink())]:
            path = head + name
            if path in receipt.rows:
                seen.add(path)
                if not _is(place, path, receipt.rows[path].digest):
                    yield path
            elif head or not name.startswith("."):
                yield path
    yield from set(receipt.rows) - seen


def _is(place: Path, path: str, digest: str) -> bool:
    made = blake2b(digest_size=16)
    try:
        for part in Tree(place, ()).stream(path):
            made.update(part)
    except Unreadable:
        return False
    return made.hexdigest() == digest


def _swap(new: Path, place: Path) -> None:
    """Put `new` in the place of what is there; what others hid in that goes over."""
    try:
        new.rename(place)  # nothing there, or an empty folder
        return
    except OSError:
        if not place.is_dir() or place.is_symlink():
            raise
    hidden = [
        name
        for name in os.listdir(place)  # noqa: PTH208  names are enough
        if name.startswith(".") and not (new / name).exists()
    ]
    parent = os.open(place.parent, _FOLDER)
    try:
        _exchange(parent, new, place)
        for name in hidden:
            (new / name).rename(place / name)
        os.fsync(parent)
    finally:
        os.close(parent)


def _sweep(workspace: Workspace, place: Path) -> None:
    """Remove what a killed export of this workspace left beside the place of another one.

    What somebody hid in an earlier export, and did not get over to the new one, is no such rest.
    """
    own = json.dumps(workspace.id).encode()
    for left in _left_beside(place):
        if left.is_symlink() or own not in _head(left / NAME, _LONGEST_HEAD).partition(b"\n")[0]:
            continue
        if [one.name for one in left.iterdir() if one.name.startswith(".")] == [NAME]:
            shutil.rmtree(left, ignore_errors=True)


def _left_beside(place: Path) -> list[Path]:
    return list(place.parent.glob(f".{glob.escape(place.name)}.vade-*"))


def _exchange(parent: int, new: Path, place: Path) -> None:
    try:
        exchange(parent, new.name, place.name)
    except OSError:
        old = f"{new.name}-old"
        os.rename(place.name, old, src_dir_fd=parent, dst_dir_fd=parent)
        os.rename(new.name, place.name, src_dir_fd=parent, dst_dir_fd=parent)
        os.rename(old, new.name, src_dir_fd=parent, dst_dir_fd=parent)


def _head(place: Path, length: int) -> bytes:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read(length) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
