"""Conflict copies: the versions that lost, as sync tools and Git leave them beside a note."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator

from vademecum.core.patterns import later

REASON = "a conflict copy of a sync tool; merge it by hand"

_TOLD = (
    r"\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?"  # Syncthing
    r"| ?\((?:[^()]*['’]s )?conflicted copy[^()]*\)"  # Dropbox, Nextcloud, Obsidian
    r"| ?\((?:In Konflikt stehende Kopie|Copie en conflit|Copia en conflicto"
    r"|Copia in conflitto|Cópia em conflito|競合コピー|冲突副本)[^()]*\)"  # Dropbox elsewhere
    r"| ?\((?:case conflict|(?:SF)?conflict(?:ed)?[^()]*)\)"  # Seafile, Proton and others
    r"| ?\[conflict(?:ed)?[^\[\]]*\]"  # pCloud, Google Drive
    r"|[-_ ]conflict-\d{4}-?\d{2}-?\d{2}[^.]*"  # ownCloud, Resilio
    r"|_[^_/]+_[A-Z][a-z]{2}-\d{1,2}-\d{4,6}-\d{4}_(?:Users)?Conflict"  # Synology
    r"|\.orig(?=\.md\Z)|\.(?:BACKUP|BASE|LOCAL|REMOTE)[._]\d+(?=\.md\Z)"  # Git
)
_NUMBERED = (
    r"(?: \(\d{1,2}\)"  # Google Drive, OneDrive in a browser
    r"| \d{1,2}"  # iCloud
    r"|-(?:DESKTOP|LAPTOP)-[A-Z0-9]{5,}|-[^/]*(?:MacBook|iMac|Mac-mini)[^/]*)"  # OneDrive
    r"(?=\.md\Z)"
)
_NUMBERED_NAME = later(_NUMBERED)
_HOSTS = ("DESKTOP-", "LAPTOP-", "MacBook", "iMac", "Mac-mini")
_ENDS = frozenset("0123456789)")
_LARGEST = 1_000_000
_ALIKE = 0.8
"""Share of lines by which a file is another version of one, where no claim says so by its id."""
_FEWEST = 3
_ID = later(r" \^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)


def is_conflict_copy(name: str) -> bool:
    """Whether a file is named as sync tools and Git name the version that lost, and nobody else."""
    return re.search(_TOLD, name, re.IGNORECASE) is not None  # compiled on first need


def named_after(path: str) -> str:
    """Return the path of the file that a copy is named after; `path` where it is after none."""
    folder, slash, name = path.rpartition("/")
    stripped = re.sub(_TOLD, "", name, flags=re.IGNORECASE)
    if stripped == name:
        stripped = _NUMBERED_NAME.sub("", name)
    return folder + slash + (stripped if stripped.endswith(".md") else f"{stripped}.md")


def copies_among(root: str, paths: Collection[str]) -> Iterator[str]:
    """Yield the notes that are another version of the note they are named after.

    Names like `note 2.md` and `note (1).md` may be anybody's, so those files are read: a copy has a
    claim of the original, by its id, or nearly all of its lines.
    """
    for path in _candidates(paths):
        original = named_after(path)
        if original != path and _is_version(_read(root, path), _read(root, original)):
            yield path


def _candidates(paths: Collection[str]) -> Iterator[str]:
    joined = "\n".join(paths)
    hosts = any(host in joined for host in _HOSTS)
    for path in paths:
        # Its last four characters are looked at first: few notes get as far as an expression.
        end = path[-7:-3]
        if ((end[-1:] in _ENDS and " " in end) or end[:1] == "(" or hosts) and (
            _NUMBERED_NAME.search(path)
        ):
            yield path


def _is_version(copy: str, original: str) -> bool:
    if not copy or not original:
        return False
    if copy == original or set(_ID.findall(copy)) & set(_ID.findall(original)):
        return True
    lines = {line.strip() for line in copy.splitlines()} - {"", "---"}
    others = {line.strip() for line in original.splitlines()} - {"", "---"}
    shared = len(lines & others)
    return shared >= _FEWEST and shared >= _ALIKE * max(len(lines), len(others))


def _read(root: str, path: str) -> str:
    """Return what a note holds; nothing for what is none, or is large."""
    try:
        descriptor = os.open(
            f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
            return ""
        return file.read().decode("utf-8", "replace")
