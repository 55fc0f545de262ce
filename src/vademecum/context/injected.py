"""Which files a fresh window opens with, in order, for every profile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from vademecum.core.frozen import dataclass

if TYPE_CHECKING:
    from vademecum.workspace.profiles import Profile
    from vademecum.workspace.workspace import Workspace

NANOCLAW_LIMIT = 16_000
"""UTF-16 code units of each injected file there."""
_UNLIMITED = 1_000_000
OPENCLAW_LIMIT = 20_000
"""Characters of each injected file there."""
_USER_LIMIT = 4_000
_REQUIRED = ("SOUL.md", "IDENTITY.md")
_MOST_LOGS = 6
"""Log files of one day; of more, the newest by name."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that belongs into the context, if it is there."""

    path: str
    purpose: str
    weight: int
    """How much of a scarce budget it gets, against the others."""
    limit: int = _UNLIMITED
    """Its own longest text, in UTF-16 code units."""
    newest_last: bool = False
    """Where it has to be cut, the end stays."""
    framed: bool = False
    """Its frontmatter is put in too."""
    slim: bool = False
    """Cut at exactly its limit, with the notice that its profile prescribes."""
    required: bool = False
    """Where it is missing while others are there, a line says so in its place."""


def injected_files(workspace: Workspace, today: date, *, main_session: bool) -> tuple[Wanted, ...]:
    """Return the files in the order in which they are put in, whether or not they are there.

    Core memory is private to the main session, except where it is a section of the map.
    """
    files = _BY_PROFILE.get(workspace.profile.name, _standard)(workspace, today)
    profile = workspace.profile
    private = "" if profile.framed and profile.core_path == profile.map_path else profile.core_path
    return tuple(one for one in files if main_session or one.path != private)


def _standard(workspace: Workspace, today: date) -> Iterator[Wanted]:
    yield from _identity(workspace.profile, "SOUL.md", "USER.md")
    yield _core(workspace)
    yield _workbench(workspace)
    yield _map(workspace)
    yield from _logs(workspace, today)


def _openclaw(workspace: Workspace, today: date) -> Iterator[Wanted]:
    names = ("SOUL.md", "IDENTITY.md", "USER.md")
    files = (*_identity(workspace.profile, *names), *_logs(workspace, today), _core(workspace))
    for one in files:
        limit = min(one.limit, OPENCLAW_LIMIT)
        yield replace(one, limit=limit, required=one.path in _REQUIRED)


def _nanoclaw(workspace: Workspace, today: date) -> Iterator[Wanted]:
    del today
    profile = workspace.profile
    for path, purpose, weight in (
        (profile.map_path, "core memory, and the map of what there is", 2),
        (profile.doctrine_path, "how this memory is kept", 1),
    ):
        yield Wanted(path, purpose, weight, NANOCLAW_LIMIT, framed=True, slim=True)


def _vault(workspace: Workspace, today: date) -> Iterator[Wanted]:
    del today
    yield _workbench(workspace)
    yield _map(workspace)


def _gitmem(workspace: Workspace, today: date) -> Iterator[Wanted]:
    del today
    yield from _identity(workspace.profile, *workspace.profile.identity_paths)
    yield _core(workspace)


_BY_PROFILE = {
    "standard": _standard,
    "openclaw": _openclaw,
    "nanoclaw": _nanoclaw,
    "vault": _vault,
    "gitmem": _gitmem,
}


def _identity(profile: Profile, *names: str) -> Iterator[Wanted]:
    for name in names:
        if name in profile.identity_paths:
            limit = _USER_LIMIT if name == "USER.md" else _UNLIMITED
            yield Wanted(name, "who is who", 2, limit)


def _core(workspace: Workspace) -> Wanted:
    budget = workspace.settings.budget.core
    return Wanted(workspace.profile.core_path, "core memory", 3, budget)


def _workbench(workspace: Workspace) -> Wanted:
    budget = workspace.settings.budget.workbench
    return Wanted(workspace.profile.workbench_path, "what is going on", 2, budget)


def _map(workspace: Workspace) -> Wanted:
    return Wanted(workspace.profile.map_path, "what there is", 2, workspace.settings.budget.map)


def _logs(workspace: Workspace, today: date) -> Iterator[Wanted]:
    """Yield today's log and yesterday's, files with a slug behind the day too."""
    profile = workspace.profile
    folder = "" if profile.log_folder == "." else profile.log_folder
    names = _listed(workspace, folder)
    for day, weight in ((today, 2), (today - timedelta(days=1), 1)):
        begins = (day.isoformat(), f"{day:%Y%m%d}")
        paths = (
            f"{folder}/{name}" if folder else name for name in names if name.startswith(begins)
        )
        own = sorted(path for path in paths if profile.day_of(path) == day)
        for path in sorted(own[-_MOST_LOGS:], key=lambda path: (len(path), path)):
            yield Wanted(path, f"log of {day.isoformat()}", weight, newest_last=True)


def _listed(workspace: Workspace, folder: str) -> list[str]:
    try:
        return os.listdir(workspace.root / folder)  # noqa: PTH208  names are enough
    except OSError:
        return []
