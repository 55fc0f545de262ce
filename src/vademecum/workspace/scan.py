"""What is on disk: every note with its stat, everything left out with the reason, every failure."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import field
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.core.ports import FileStamp
from vademecum.workspace import ignore
from vademecum.workspace.bounds import Bounds
from vademecum.workspace.config import FILE as CONFIGURATION
from vademecum.workspace.copies import REASON, copies_among, is_conflict_copy
from vademecum.workspace.ignore import DEFAULT_FOLDERS, IgnoreRules
from vademecum.workspace.keys import ScanSettings
from vademecum.workspace.paths import key_of

UNSOUND = "its name is not valid text"
"""Why a file is skipped whose name holds control characters or bytes that are no UTF-8."""
SUFFIXES = (".md", ".markdown")
_LARGEST_IGNORE_FILE = 65_536
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9 _-]*\.md").fullmatch
"""Names that no rule but an ignore file can object to, or that of conflict copies."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is left out, and why. A folder's path ends with a slash."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What one walk over a workspace saw."""

    files: dict[str, FileStamp]
    """Every note by its path (POSIX, relative, NFC)."""
    skipped: tuple[Skipped, ...]
    """What is named like a note and is none by policy, and folders that were left out."""
    failed: tuple[Skipped, ...] = ()
    """Folders (the root is `./`) and files that could not be looked at."""
    others: int = 0
    """Files of other types."""

    def is_gone(self, path: str) -> bool:
        """Whether a note that was there once is certainly gone: not seen, and nothing failed above.

        Only such a note may be dropped from an index.
        """
        if path in self.files:
            return False
        return not any(
            failed.path in (path, "./") or (failed.path[-1] == "/" and path.startswith(failed.path))
            for failed in self.failed
        )


@dataclass(slots=True)
class _Walk:
    root: str
    settings: ScanSettings
    rules: IgnoreRules
    within: Collection[str] | None
    closed: frozenset[str] = frozenset()
    archive: str = ""
    files: dict[str, FileStamp] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    failed: list[Skipped] = field(default_factory=list)
    others: int = 0

    def run(self) -> None:
        waiting = [""]
        while waiting:
            prefix = waiting.pop()
            try:
                waiting += self._folders_in(prefix)
            except OSError as error:
                if not isinstance(error, FileNotFoundError) or not prefix:
                    self.failed.append(Skipped(prefix or "./", _reason(error)))

    def _folders_in(self, prefix: str) -> list[str]:
        """Look at what is in one folder; return the folders in it that are to be walked."""
        found = []
        quick = self.rules.empty and prefix.isascii()
        # Entries of an open folder are looked up in it, not from the top each: half the time.
        flags = _FOLDER | os.O_NOFOLLOW if prefix else _FOLDER
        folder = os.open(f"{self.root}/{prefix}".rstrip("/") or "/", flags)
        try:
            if prefix and (_holds_workspace(folder) or self._is_closed(prefix)):
                self.skipped.append(Skipped(shown(prefix), "a workspace of its own"))
                return []
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if quick and _PLAIN(name) and self._add_plain(entry, prefix + name):
                        continue
                    if self._look(entry, prefix) and self._leads_within(prefix + name):
                        found.append(f"{prefix}{name}/")
        finally:
            os.close(folder)
        return found

    def _is_closed(self, prefix: str) -> bool:
        """Whether a folder is registered as the workspace of another agent."""
        return bool(self.closed) and key_of(prefix.rstrip("/")) in self.closed

    def _leads_within(self, folder: str) -> bool:
        """Whether anything below a folder may be asked for."""
        if self.within is None:
            return True
        folder = unicodedata.normalize("NFC", folder)
        return any(is_within(folder, (one,)) or is_within(one, (folder,)) for one in self.within)

    def _add_plain(self, entry: os.DirEntry[str], path: str) -> bool:
        """Add an entry that is nothing but a note, as nearly all are; else leave it to `_look`."""
        if "onflict" in path or "CONFLICT" in path or not entry.is_file(follow_symlinks=False):
            return False
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            return False
        if found.st_size > self.settings.max_bytes:
            return False
        parts = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        self.files[path] = tuple.__new__(FileStamp, parts)  # FileStamp(…) takes half as long again
        return True

    def _look(self, entry: os.DirEntry[str], prefix: str) -> bool:
        """Note what an entry is; return whether it is a folder to walk."""
        name = entry.name
        named_note = name.endswith(SUFFIXES) or name.lower().endswith(SUFFIXES)
        try:
            if entry.is_dir(follow_symlinks=False):
                return self._enters(name, prefix)
            if not named_note:
                self.others += 1
                return self._skip_link(entry, prefix)
            path = prefix + name
            if reason := self._reason_against(entry, path):
                self.skipped.append(Skipped(shown(path), reason))
                return False
            found = entry.stat(follow_symlinks=False)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self.failed.append(Skipped(shown(prefix + name), _reason(error)))
            return False
        self._add(path, found)
        return False

    def _add(self, path: str, found: os.stat_result) -> None:
        if found.st_size > self.settings.max_bytes:
            reason = f"larger than scan.max_bytes ({found.st_size:,} bytes)"
            self.skipped.append(Skipped(shown(path), reason))
            return
        if not path.isascii():
            path = unicodedata.normalize("NFC", path)
            if path in self.files:
                reason = "its name differs from another note's only in how accents are encoded"
                self.skipped.append(Skipped(path, reason))
                return
        self.files[path] = _stamp(found)

    def _enters(self, name: str, prefix: str) -> bool:
        path = prefix + name
        if name.startswith("."):
            reason = "in a dot folder"
        elif not _is_sound(name):
            reason = UNSOUND
        else:
            decided = None if self.rules.empty else self.rules.decides(path, folder=True)
            reason = f"ignored by {decided}" if decided else self._default_against(path)
            if decided == "" or not reason:
                return True
        self.skipped.append(Skipped(shown(path) + "/", reason))
        return False

    def _default_against(self, path: str) -> str:
        """Return why a folder is left out that no rule takes in; empty where it is not."""
        if self.archive and key_of(path) == self.archive:
            return "the archive of this workspace"
        name = path.rpartition("/")[2]
        return "left out by default" if name.casefold() in DEFAULT_FOLDERS else ""

    def _skip_link(self, entry: os.DirEntry[str], prefix: str) -> bool:
        """List a link to a folder: its notes would otherwise be missing without a word."""
        if entry.is_symlink() and not entry.name.startswith(".") and entry.is_dir():
            reason = "a symbolic link, which is not followed"
            self.skipped.append(Skipped(shown(prefix + entry.name), reason))
            self.others -= 1
        return False

    def _reason_against(self, entry: os.DirEntry[str], path: str) -> str:
        name = entry.name
        if name[0] == ".":
            return "a dot file"
        if not self.rules.empty and (decided := self.rules.decides(path, folder=False)):
            return f"ignored by {decided}"
        if not entry.is_file(follow_symlinks=False):
            link = entry.is_symlink()
            return "a symbolic link, which is not followed" if link else "not a regular file"
        if not _is_sound(name):
            return UNSOUND
        if is_conflict_copy(name):
            return REASON
        return ""


def is_within(path: str, places: Collection[str]) -> bool:
    """Whether a path is one of these files, or in one of these folders (`.`: everything is)."""
    return any(
        path == one or one in ("", ".") or path.startswith(one.rstrip("/") + "/") for one in places
    )


def scan(
    root: Path,
    settings: ScanSettings,
    within: Collection[str] | None = None,
    bounds: Bounds | None = None,
    archive: str = "",
) -> Scan:
    """Return what is in the workspace at `root`; links are not followed.

    Nothing is opened but notes whose names may be those of conflict copies.

    `within` names files and folders (relative): the rest is passed over without a look.

    Everything in dot folders is out, so are the folder `archive` and those in
    `ignore.DEFAULT_FOLDERS` (unless a rule takes them in), those that
    are workspaces of their own (`bounds` knows more of those, and which notes may be seen at
    all), and what `scan.ignore` and `.vadeignore` name. A folder that
    cannot be read is in `failed`: what was known below it is neither there nor gone. Never raises
    for what it finds on disk.
    """
    rules = IgnoreRules((*settings.ignore, *_ignore_lines(root)))
    closed = bounds.folders() if bounds is not None else frozenset()
    walk = _Walk(str(root), settings, rules, within, closed, key_of(archive))
    walk.run()
    for path in list(copies_among(str(root), walk.files)):
        del walk.files[path]
        walk.skipped.append(Skipped(path, REASON))
    if within is not None:
        walk.files = {path: at for path, at in walk.files.items() if is_within(path, within)}
    if bounds is not None and bounds.choice is not None:
        # Whoever may see some notes learns nothing of what else there is.
        return Scan(dict(bounds.choice(walk.files)), (), tuple(walk.failed))
    by_path = sorted(walk.skipped, key=lambda skipped: skipped.path)
    return Scan(walk.files, tuple(by_path), tuple(walk.failed), walk.others)


def _ignore_lines(root: Path) -> Iterator[str]:
    path = root / ignore.FILE
    try:
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_IGNORE_FILE:
            yield from path.read_text("utf-8-sig", "replace").split("\n")
    except OSError:
        return


def _holds_workspace(folder: int) -> bool:
    """Whether an open folder is another agent's memory: what is in it is nobody else's."""
    try:
        os.stat(CONFIGURATION, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _stamp(found: os.stat_result) -> FileStamp:
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _is_sound(name: str) -> bool:
    """Whether a name is text without control characters, as paths in memory have to be."""
    if name.isascii():
        return name.isprintable() and "\\" not in name
    return not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name) and "\\" not in name


def shown(path: str) -> str:
    """Return a path as text: what is not valid in it is escaped."""
    if path.isascii() and path.isprintable():
        return path
    escaped = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    escaped = _CONTROL.sub(lambda sign: f"\\x{ord(sign[0]):02x}", escaped)
    return unicodedata.normalize("NFC", escaped)


def _reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or type(error).__name__}"
