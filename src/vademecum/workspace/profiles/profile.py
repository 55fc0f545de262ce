"""A profile: which file of a workspace has which role."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from vademecum.core.forms import Listing, LogForm, PastForm
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.core.roles import Role
from vademecum.markdown.days import day_in_name

_MAP_NAME = "index.md"
_BACKUP = later(r"(?:^|[-_. /])(?:backups?|bak|snapshots?)(?:[-_. /\d]|$)")
_DAILY_NAME = later(r"(?:\d{4}-\d{2}-\d{2}|\d{8})(?!\d)(?!-\d{4}-)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Profile:
    """The map from roles to paths. Paths are relative and POSIX; an empty one: no such file.

    Names are compared without case, because `INDEX.md` and `index.md` are one file on many disks;
    the paths here are spelled as this workspace spells them.
    """

    name: str
    core_path: str
    workbench_path: str
    map_path: str
    doctrine_path: str
    identity_paths: tuple[str, ...]
    instruction_paths: tuple[str, ...]
    note_folder: str = "memory"
    """Holds the concept notes, in folders or not; `.` for a workspace that is one flat folder."""
    log_folder: str = "memory"
    log_folders_below: tuple[str, ...] = ("logs", "daily", "journal")
    """Folders in the note folder whose dated files are logs as well."""
    reflection_folder: str = "memory/reflections"
    reflection_paths: tuple[str, ...] = ()
    candidates_path: str = "memory/candidates.md"
    archive_folder: str = "memory/.archive"
    starts_with_workbench: bool = True
    """Whether a new workspace gets a workbench; elsewhere it comes with its first use."""
    framed: bool = False
    """Whether every note carries frontmatter with a `type`, logs too (Open Knowledge Format)."""
    core_holds_claims: bool = True
    """Whether core memory may hold facts; elsewhere it only leads to the notes that do."""
    tagged: bool = True
    """Whether every claim says where it comes from; elsewhere people's own lines do not."""
    directives_path: str = ""
    """Holds dated directives about the user, each below a line with its date and status."""
    workbench_folder: str = ""
    """Holds what is in hand, besides the workbench itself."""
    other_folders: tuple[str, ...] = ()
    """Folders below the note folder whose files are no notes: tasks, what was imported."""
    log_form: LogForm = LogForm.HEADING
    past_form: PastForm = PastForm.STRIKE
    listings: tuple[Listing, ...] = ()
    """Sections of the one map of all folders; without any, every folder has a map of its own."""
    defaults: tuple[tuple[str, str | int], ...] = ()
    """Keys of the configuration that have another default here: budgets, times of jobs."""

    def role_of(self, path: str) -> Role:
        """Return what a file is for; any path has a role, at least `OTHER`."""
        folded = path.casefold()
        named = _named(self).get(folded)
        if named is not None:
            return named
        if _within(folded, self.archive_folder):
            return Role.ARCHIVE
        if _within(folded, self.reflection_folder):
            return Role.REFLECTION
        if any(_within(folded, folder) for folder in self.other_folders):
            return Role.OTHER
        if self.workbench_folder and _within(folded, self.workbench_folder):
            return Role.WORKBENCH
        if self.day_of(path) is not None:
            return Role.LOG
        if not _within(folded, self.note_folder):
            return Role.OTHER
        if is_backup(path):
            return Role.ARCHIVE  # found, never edited
        return Role.MAP if folded.endswith("/" + _MAP_NAME) else Role.CONCEPT

    def log_path(self, day: date) -> str:
        """Return the path of the daily log of `day`, whether or not it is there."""
        return _beneath(self.log_folder, f"{day.isoformat()}.md")

    def day_of(self, path: str) -> date | None:
        """Return the day a daily log is about, None for a file that is no log.

        Logs lie in the log folder and begin with their day: `2026-01-20.md`,
        `2026-01-20-standup.md`, `2026-01-20-0930.md`, `20260120.md`.
        """
        folder, _, name = path.casefold().rpartition("/")
        if not _DAILY_NAME.match(name) or not name.endswith(".md"):
            return None
        home = "" if self.log_folder == "." else self.log_folder.casefold()
        below = {_beneath(self.note_folder, sub).casefold() for sub in self.log_folders_below}
        return day_in_name(name) if folder == home or folder in below else None


def is_backup(path: str) -> bool:
    """Whether a path lies in a folder that is called a backup: a copy of the tree inside of it."""
    return bool(_BACKUP.search(path.casefold().rpartition("/")[0]))


@lru_cache(maxsize=16)
def _named(profile: Profile) -> dict[str, Role]:
    roles = {
        profile.core_path: Role.CORE,
        profile.workbench_path: Role.WORKBENCH,
        profile.map_path: Role.MAP,
        profile.doctrine_path: Role.DOCTRINE,
        profile.candidates_path: Role.CANDIDATES,
        **dict.fromkeys(profile.identity_paths, Role.IDENTITY),
        **dict.fromkeys(profile.instruction_paths, Role.INSTRUCTIONS),
        **dict.fromkeys(profile.reflection_paths, Role.REFLECTION),
    }
    return {path.casefold(): role for path, role in roles.items() if path}


def _beneath(folder: str, name: str) -> str:
    return name if folder in ("", ".") else f"{folder}/{name}"


def _within(folded: str, folder: str) -> bool:
    return folder == "." or (bool(folder) and folded.startswith(folder.casefold() + "/"))
