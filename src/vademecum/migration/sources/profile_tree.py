"""A tree of a known layout: the role of each file says how it is taken."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.core.roles import Role
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.sources import host_files
from vademecum.migration.sources.taking import (
    IMPORTED,
    Sorted,
    Taken,
    no_note,
    type_of_folder,
)
from vademecum.workspace.profiles import Profile

_NO_MEMORY = {
    "skills/": "a skill, which belongs to its host",
    "conversations/": "what was said, which is no memory",
    "memory/.dreams/": "state of a program",
}


@dataclass(frozen=True, slots=True)
class Habits:
    """What a system does its own way.

    `core_is_map`: core memory only leads to notes. `agent_written` are files beside memory that
    the agent writes itself: nothing of them becomes instructions. `rules` are folders of what a
    person laid down.
    """

    core_is_map: bool = False
    agent_written: tuple[str, ...] = ("user.md",)
    rules: tuple[str, ...] = ()


ORDINARY = Habits()


def sort_by_role(
    tree: Tree, origin: Origin, profile: Profile, habits: Habits = ORDINARY
) -> Iterator[Sorted]:
    """Yield every file of the tree but those of hosts, by its role in `profile`."""
    for item in tree.items:
        if host_files.origin_of(item) is not None:
            continue
        reason = next((why for head, why in _NO_MEMORY.items() if item.path.startswith(head)), "")
        passed = Passed(item.path, reason) if reason else no_note(item, origin)
        yield passed or taken_by_role(item, origin, profile, habits)


def taken_by_role(
    item: Item, origin: Origin, profile: Profile, habits: Habits = ORDINARY
) -> Sorted:
    """Return how a file is taken, by its role in `profile`."""
    path, role = item.path, profile.role_of(item.path)
    if path.casefold().startswith(habits.rules) and habits.rules:
        return Taken(path, origin, Treatment.SPLIT, host_owned=True)
    if role is Role.LOG and (day := profile.day_of(path)):
        return Taken(path, origin, Treatment.LOG, day=day.isoformat())
    if role is Role.MAP or (role is Role.CORE and habits.core_is_map):
        return Taken(path, origin, Treatment.MAP, to=_aside(path, profile))
    if role in (Role.INSTRUCTIONS, Role.IDENTITY, Role.CORE):
        owned = role is not Role.CORE and item.name.casefold() not in habits.agent_written
        return Taken(path, origin, Treatment.SPLIT, host_owned=owned)
    if role is Role.ARCHIVE:
        return Taken(path, origin, Treatment.ARCHIVE, to=_archived(path, profile))
    if role is Role.REFLECTION:
        return Taken(path, origin, Treatment.WHOLE, f"reflections/{item.name}", "reflection")
    if role in (Role.WORKBENCH, Role.DOCTRINE, Role.CANDIDATES):
        return Taken(path, origin, Treatment.WHOLE, _aside(path, profile))
    return Taken(path, origin, Treatment.WHOLE, _inner(path, profile), type_of_folder(path))


def _archived(path: str, profile: Profile) -> str:
    """Return a path below the archive; backups beside that keep their names."""
    inside = f"{profile.archive_folder}/"
    return path[len(inside) :] if path.casefold().startswith(inside) else _inner(path, profile)


def _aside(path: str, profile: Profile) -> str:
    return f"{IMPORTED}/{_inner(path, profile).casefold()}"


def _inner(path: str, profile: Profile) -> str:
    folder = profile.note_folder
    return path if folder in ("", ".") else path.removeprefix(f"{folder}/")
