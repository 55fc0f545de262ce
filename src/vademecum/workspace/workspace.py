"""One directory on disk as memory: its profile, settings, zone, files, ledger and state."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from vademecum.core.errors import InvalidPath, StorageFailed, WorkspaceNotFound
from vademecum.workspace import config
from vademecum.workspace.bounds import Bounds, Others, nobody, stamp_of
from vademecum.workspace.clock import SystemClock
from vademecum.workspace.disk_errors import failure
from vademecum.workspace.keys import Settings, Value
from vademecum.workspace.places import find_workspace, state_of, workspace_id
from vademecum.workspace.profiles import (
    STANDARD,
    Profile,
    Scaffold,
    detect_profile,
    fit_profile,
    profile_named,
    scaffold_of,
)
from vademecum.workspace.zones import system_zone, zone_named

if TYPE_CHECKING:
    from vademecum.core.notes import Role
    from vademecum.core.ports import Clock, FileStamp
    from vademecum.workspace.files import Files
    from vademecum.workspace.ledger import Ledger
    from vademecum.workspace.scan import Scan

__all__ = ["Workspace", "create_workspace", "find_workspace", "open_workspace"]

Elsewhere = Callable[[str], "tuple[str, Workspace, str] | None"]
"""Gives the owner, the part of its memory and the path there that `OWNER:PATH` means; None for
anything that is no such address, or may not be read."""


def nowhere(address: str) -> tuple[str, Workspace, str] | None:
    """Return None: no other memory may be read."""
    del address
    return None


@dataclass(frozen=True)  # no slots: what is opened late is kept in the instance
class Workspace:
    """One agent's memory.

    The state directory holds `index.sqlite`, `ledger.jsonl`, `blobs/`, `locks/`, `journal/` and
    `trail/`; it is outside the workspace and everything in it but ledger and old versions can be
    made anew from the files.
    """

    root: Path
    """Real and absolute."""
    id: str
    profile: Profile
    settings: Settings
    state: Path
    zone: ZoneInfo
    clock: Clock
    bounds: Bounds | None = None
    """None: it ends where its directory does, and where another vade.toml begins."""
    elsewhere: Elsewhere = nowhere
    """What an address in another agent's memory means, where that may be read."""

    @property
    def granted(self) -> bool:
        """Whether it is the part of another agent's memory that may be read, and only read."""
        return self.bounds is not None and self.bounds.choice is not None

    @cached_property
    def files(self) -> Files:
        """The files beneath the root; loaded when first asked for, which a search may never."""
        from vademecum.workspace.files import open_files  # noqa: PLC0415  the reason is above

        return open_files(self.root, self.state, self.bounds)

    @property
    def ledger(self) -> Ledger:
        """The record of every write."""
        return self.files.records.ledger

    def role_of(self, path: str) -> Role:
        """Return what a file is for."""
        return self.profile.role_of(path)

    def scan(self, within: Collection[str] | None = None, *, any_size: bool = False) -> Scan:
        """Return what is on disk now, all of it or only these files and folders.

        With `any_size` also the notes that are too large to be indexed.
        """
        from vademecum.workspace.scan import scan  # noqa: PLC0415  a hook never scans

        chosen = self.settings.scan
        if any_size:
            chosen = replace(chosen, max_bytes=sys.maxsize)
        return scan(self.root, chosen, within, self.bounds, self.profile.archive_folder)

    def stamp_of(self, path: str) -> FileStamp | None:
        """Return what a stat says of one note, None where it is not there or out of bounds."""
        if self.bounds is not None and not self.bounds.holds(path):
            return None
        return stamp_of(self.root, path)

    def scaffold(self) -> tuple[Scaffold, ...]:
        """Return the files that a new workspace of this profile starts with."""
        return scaffold_of(self.profile, self.id, self.zone.key)


def open_workspace(
    root: Path,
    *,
    profile: str | None = None,
    flags: Mapping[str, Value] | None = None,
    variables: Mapping[str, str] | None = None,
    clock: Clock | Callable[[ZoneInfo], Clock] | None = None,
    others: Others = nobody,
    elsewhere: Elsewhere = nowhere,
) -> Workspace:
    """Open the directory `root`, which no byte is changed by.

    The profile is the one named here or in the configuration, else the detected one, else
    `standard`. `variables` stand for the environment; `clock` is one, or makes one for the zone of
    the workspace; `others` gives the workspaces of other agents, at any moment, and `elsewhere`
    what may be read of them. Raises
    WorkspaceNotFound, InvalidConfiguration.
    """
    variables = config.environment() if variables is None else variables
    real = _existing(root)
    settings = config.load_settings(real, flags, variables)
    name = profile or settings.workspace.profile
    chosen = fit_profile(profile_named(name), real) if name else detect_profile(real)
    opened = _opened(real, chosen or STANDARD, settings, variables, clock, others)
    return opened if elsewhere is nowhere else replace(opened, elsewhere=elsewhere)


def create_workspace(
    root: Path,
    *,
    profile: str | None = None,
    flags: Mapping[str, Value] | None = None,
    variables: Mapping[str, str] | None = None,
    clock: Clock | Callable[[ZoneInfo], Clock] | None = None,
    others: Others = nobody,
) -> Workspace:
    """Make the directory `root` where it is missing and open it; its files are not made here.

    Raises what `open_workspace` raises, InvalidPath where a file is in the way, and ReadOnly,
    DiskFull or StorageFailed where the directory cannot be made.
    """
    try:
        path = root.expanduser()
        path.mkdir(parents=True, exist_ok=True)
    except (RuntimeError, ValueError) as error:  # of somebody's home; with a NUL byte in it
        raise InvalidPath(
            f"{str(root)!r} is no name of a directory.", hint="Name a directory."
        ) from error
    except (FileExistsError, NotADirectoryError) as error:
        raise InvalidPath(
            f"{path} cannot become a workspace: there is a file.", hint="Name a directory."
        ) from error
    except FileNotFoundError as error:  # of /proc and its like
        raise StorageFailed(
            f"The directory {path} cannot be made.", hint="Name one on an ordinary file system."
        ) from error
    except OSError as error:
        raise failure(error, str(path), "make") from error
    return open_workspace(
        path, profile=profile, flags=flags, variables=variables, clock=clock, others=others
    )


def _existing(root: Path) -> Path:
    try:
        real = root.expanduser().resolve(strict=True)
        is_folder = real.is_dir()
    except (OSError, RuntimeError) as error:
        raise WorkspaceNotFound(
            f"There is no directory {root}.", hint="Make a workspace with `vade init PATH`."
        ) from error
    if not is_folder:
        raise WorkspaceNotFound(f"{root} is no directory.", hint="Name the workspace's directory.")
    return real


def _opened(
    root: Path,
    profile: Profile,
    settings: Settings,
    variables: Mapping[str, str],
    clock: Clock | Callable[[ZoneInfo], Clock] | None,
    others: Others,
) -> Workspace:
    identity = workspace_id(root, settings.workspace.id)
    named = settings.workspace.zone
    zone = zone_named(named) if named else system_zone(variables)
    home = config.state_home(settings, variables)
    state = state_of(root, identity, home, others())
    if clock is None:
        clock = SystemClock(zone)
    elif callable(clock):
        clock = clock(zone)
    return Workspace(
        root=root,
        id=identity,
        profile=profile,
        settings=config.with_defaults(settings, profile.defaults, f"profile {profile.name}"),
        state=state,
        zone=zone,
        clock=clock,
        bounds=Bounds(root, others),
    )
