"""Where a note goes when it is archived, where it came from, and what is in the archive."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from vademecum.core.notes import Role
from vademecum.workspace.profiles import Profile
from vademecum.workspace.workspace import Workspace

_REFLECTIONS = "reflections"


def archive_path(profile: Profile, path: str) -> str:
    """Return where the note at `path` is kept once it is archived.

    Daily logs lie in the archive folder itself, reflections in `reflections` below it, other notes
    as they lay below the folder of notes. `live_path` is the inverse.
    """
    folder = profile.archive_folder
    inner = _below(path, profile.reflection_folder)
    if inner:
        return f"{folder}/{_REFLECTIONS}/{inner}"
    inner = _below(path, profile.log_folder)
    if inner and "/" not in inner and profile.day_of(path) is not None:
        return f"{folder}/{inner}"
    return f"{folder}/{_below(path, profile.note_folder) or path}"


def live_path(profile: Profile, path: str) -> str:
    """Return where the archived note at `path` lay before; a path outside the archive as it is."""
    inner = _below(path, profile.archive_folder)
    if not inner:
        return path
    reflection = _below(inner, _REFLECTIONS)
    if reflection:
        return _joined(profile.reflection_folder, reflection)
    log = _joined(profile.log_folder, inner)
    if "/" not in inner and profile.day_of(log) is not None:
        return log
    return _joined(profile.note_folder, inner)


def logs_by_name(profile: Profile, paths: Iterable[str]) -> dict[str, str]:
    """Return which of `paths` is the log that a bare day such as `2026-01-20` names.

    A reflection has the same file name; the day is what happened on it. A log that was archived is
    still the one.
    """
    found: dict[str, str] = {}
    for path in sorted(paths, key=lambda one: one != live_path(profile, one)):
        lay = live_path(profile, path)
        day = profile.day_of(lay)
        if day is not None and lay == profile.log_path(day):
            found.setdefault(day.isoformat(), path)
    return found


def is_archived(workspace: Workspace, path: str) -> bool:
    """Whether `path` lies in the archive."""
    return workspace.role_of(path) is Role.ARCHIVE


def archived_notes(workspace: Workspace) -> tuple[str, ...]:
    """Return the paths of all notes in the archive, in order; links are not followed."""
    return tuple(sorted(_walk(workspace.root, workspace.profile.archive_folder)))


def archived_as(workspace: Workspace, name: str) -> tuple[str, ...]:
    """Return the archived notes that `name` names: by the path they had or the end of it.

    The exact path decides where it is one; `.md` and case do not matter. Cheap for a path.
    """
    profile = workspace.profile
    if not profile.archive_folder:
        return ()
    for spelled in (name, f"{name}.md"):
        kept = archive_path(profile, spelled)
        if spelled.endswith(".md") and workspace.stamp_of(kept) is not None:
            return (kept,)
    wanted = _key(name)
    return tuple(
        path
        for path in archived_notes(workspace)
        if wanted
        and f"/{_key(live_path(profile, path))}".endswith(f"/{wanted}")
        and workspace.stamp_of(path) is not None
    )


def _walk(root: Path, folder: str) -> Iterator[str]:
    if not folder:
        return
    for at, folders, names in os.walk(root / folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = Path(at).relative_to(root).as_posix()
        for name in names:
            if name.endswith(".md") and not name.startswith("."):
                yield unicodedata.normalize("NFC", f"{inner}/{name}")


def _below(path: str, folder: str) -> str:
    """Return what is left of `path` below `folder`, nothing where it is not there."""
    if folder == ".":
        return path
    start = f"{folder}/"
    return path[len(start) :] if folder and path.casefold().startswith(start.casefold()) else ""


def _joined(folder: str, name: str) -> str:
    return name if folder in ("", ".") else f"{folder}/{name}"


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip().strip("/")).casefold().removesuffix(".md")
