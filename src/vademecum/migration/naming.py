"""Where notes go in the workspace: names that every system can hold, each given once."""

from __future__ import annotations

import os

from vademecum.core.errors import InvalidPath
from vademecum.core.roles import Role
from vademecum.markdown.kinds import Kind
from vademecum.migration.sources.taking import IMPORTED
from vademecum.workspace.paths import key_of, portable
from vademecum.workspace.profiles import Profile
from vademecum.workspace.workspace import Workspace
from vademecum.writing.names import slug
from vademecum.writing.route import FOLDERS

_RESERVED = frozenset(("index", "log", "candidates"))
_LONGEST_STEM = 120
_LONGEST = 480
"""Bytes of a whole path; longer ones lose their folders."""


class Names:
    """Paths that are given away, so that no two files of a migration meet, nor one that is there.

    Names that differ in case or accents only are one on some system, so they are one here.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._taken: dict[str, set[str]] = {}

    def give(self, path: str) -> str:
        """Return `path`, numbered where something answers to it, and take it."""
        stem, dot, ending = path.rpartition(".")
        number = 1
        while True:
            numbered = path if number == 1 else f"{stem}-{number}{dot}{ending}"
            if self.take(numbered):
                return numbered
            number += 1

    def take(self, path: str) -> bool:
        """Take exactly `path`; return False, and take nothing, where something answers to it."""
        folder, _, name = path.rpartition("/")
        held = self._held(folder)
        if key_of(name) in held:
            return False
        held.add(key_of(name))
        return True

    def _held(self, folder: str) -> set[str]:
        key = key_of(folder)
        if key not in self._taken:
            try:
                names = os.listdir(self._workspace.root / folder)  # noqa: PTH208  names are enough
            except OSError:
                names = []
            self._taken[key] = {key_of(name) for name in names}
        return self._taken[key]


def note_path(profile: Profile, inner: str) -> str:
    """Return the path for a note that had the path `inner` below the notes of another system.

    Parts that not every system can hold are spelled anew; a name that means something else here
    than a note goes to the folder of what was imported.
    """
    *folders, name = inner.split("/")
    stem = _ending_off(name)
    parts = [_part(folder) for folder in folders]
    last = _part(stem, stem=True)
    path = _within(profile, "/".join([*parts, f"{last}.md"]))
    if len(path.encode()) > _LONGEST:
        path = _within(profile, f"{IMPORTED}/{slug(stem)}.md")
    if profile.role_of(path) in (Role.CONCEPT, Role.REFLECTION):
        return path
    return _within(profile, f"{IMPORTED}/{'/'.join([*parts, last])}.md")


def archive_path(profile: Profile, inner: str) -> str:
    """Return the path below the archive for a file that lay in another one at `inner`."""
    *folders, name = inner.split("/")
    parts = [_part(folder) for folder in folders]
    return "/".join([profile.archive_folder, *parts, f"{_part(_ending_off(name))}.md"])


def section_path(profile: Profile, kind: Kind, title: str) -> str:
    """Return the path for a note about `title`."""
    return _within(profile, f"{FOLDERS[kind]}/{slug(title)}.md")


def instructions_path(profile: Profile) -> str:
    """Return the file that a host loads as what a person laid down."""
    if profile.name == "nanoclaw":
        return profile.identity_paths[0]
    return profile.instruction_paths[0]


def _ending_off(name: str) -> str:
    for ending in (".md", ".markdown"):
        if name.casefold().endswith(ending):
            return name[: -len(ending)]
    return name


def _part(name: str, *, stem: bool = False) -> str:
    """Return one part of a path such that every system can hold it."""
    if name.startswith(".") or len(name.encode("utf-8", "surrogateescape")) > _LONGEST_STEM:
        return slug(_readable(name))
    if stem and name.casefold() in _RESERVED:
        return f"{name}-note"
    try:
        return portable(name)
    except InvalidPath:
        return slug(_readable(name))


def _readable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _within(profile: Profile, inner: str) -> str:
    folder = profile.note_folder
    return inner if folder in ("", ".") else f"{folder}/{inner}"
