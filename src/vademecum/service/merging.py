"""The verb `merge-file`: Git's merge driver for memory files; it needs no memory to be open."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from vademecum.core.clock import human_day
from vademecum.core.errors import InvalidConfiguration, NoteNotFound, Unreadable, WorkspaceNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ports import Clock
from vademecum.markdown.lines import decode, is_binary
from vademecum.markdown.merge import merge
from vademecum.service.given import given_file
from vademecum.service.opening import check_content, check_reach
from vademecum.workspace.clock import SystemClock
from vademecum.workspace.config import environment
from vademecum.workspace.whole import write_whole
from vademecum.workspace.workspace import Workspace, find_workspace, open_workspace
from vademecum.workspace.zones import system_zone
from vademecum.writing.tombstones import tombstones, without_forgotten

MARKER = 7
_OF_GIT = ".merge_file_"
"""How the names begin under which Git puts versions into the repository that it merges in."""


@dataclass(frozen=True, slots=True)
class MergedFile:
    """What became of the file: `status` is 0 when clean, 1 when a person has to look."""

    path: str
    status: int
    conflicts: tuple[str, ...] = ()


def merge_file(
    base: Path,
    ours: Path,
    theirs: Path,
    path: str = "",
    *,
    marker: int = MARKER,
    folder: Path | None = None,
    agent: str | None = None,
    clock: Clock | None = None,
    variables: Mapping[str, str] | None = None,
) -> MergedFile:
    """Put what `ours` and `theirs` made of `base` into the file `ours`, as Git asks drivers to.

    `path` is where the file lies below `folder` (the working directory): it tells a log from a
    note. What was forgotten there is left out. Files that are no text stay as ours has them, with
    status 1. Raises NoteNotFound and Unreadable for files that cannot be read, and Sealed for one
    of another agent than the one named.
    """
    variables = environment() if variables is None else variables
    named = path or ours.name
    check_reach((folder or Path.cwd()) / named, agent, variables)
    for file in (base, ours, theirs):
        of_git = file.name.startswith(_OF_GIT) and not file.is_symlink()
        check = check_reach if of_git else check_content
        check(file, agent, variables)
    versions = [_read(file) for file in (base, ours, theirs)]
    if any(is_binary(data) and data or decode(data).defect for data in versions):
        return MergedFile(named, 1, ("the file is no text that could be merged",))
    workspace = _workspace((folder or Path.cwd()) / named, variables, clock)
    within = _within(workspace, (folder or Path.cwd()) / named)
    old, mine, yours = (decode(data) for data in versions)
    merged = merge(
        old.text,
        mine.text,
        yours.text,
        within or named,
        day=_today(workspace, variables, clock),
        role=workspace.role_of(within) if workspace and within else None,
        marker=marker,
    )
    text = merged.text
    if workspace is not None:
        text, _ = without_forgotten(named, text, frozenset(tombstones(workspace)))
    write_whole(ours, mine.encode(text), durable=False)
    return MergedFile(named, 1 if merged.conflicts else 0, merged.conflicts)


def _read(file: Path) -> bytes:
    try:
        return given_file(file)
    except FileNotFoundError:
        raise NoteNotFound(f"There is no file {file}.", hint="Name three versions.") from None
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror or error}.") from error


def _workspace(file: Path, variables: Mapping[str, str], clock: Clock | None) -> Workspace | None:
    """Return the workspace that the file is part of; None where it is part of none."""
    start = next((folder for folder in file.absolute().parents if folder.is_dir()), Path.cwd())
    try:
        root = find_workspace(start, None, {**variables, "VADE_WORKSPACE": ""})
        return open_workspace(root, variables=variables, clock=clock)
    except (WorkspaceNotFound, InvalidConfiguration):
        return None


def _within(workspace: Workspace | None, file: Path) -> str:
    if workspace is None:
        return ""
    place = file.parent.resolve() / file.name
    return (
        place.relative_to(workspace.root).as_posix()
        if (place.is_relative_to(workspace.root))
        else ""
    )


def _today(workspace: Workspace | None, variables: Mapping[str, str], clock: Clock | None) -> date:
    if workspace is not None:
        return human_day(workspace.clock.now(), workspace.zone)
    zone = system_zone(variables)
    return human_day((clock or SystemClock(zone)).now(), zone)
