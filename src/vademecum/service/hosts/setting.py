"""For whom and with what a host is set up: program, workspace, scope, and the user's own places."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from vademecum.core.frozen import dataclass

_PASSED_ON = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "VADE_STATE_DIRECTORY")


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to set up a host."""

    program: tuple[str, ...]
    """How `vade` is started, by absolute paths."""
    workspace: Path
    project: Path | None
    """The project whose configuration is edited; None for the user's own."""
    variables: Mapping[str, str]

    @property
    def home(self) -> Path:
        """The user's home."""
        return Path(self.variables.get("HOME") or Path("~").expanduser())

    def folder(self, variable: str, otherwise: Path) -> Path:
        """Return the directory that a variable names, else another one."""
        named = self.variables.get(variable, "")
        return Path(named) if Path(named).is_absolute() else otherwise

    def config_home(self) -> Path:
        """Return where programs of this user keep their configuration."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    def words(self, *rest: str) -> list[str]:
        """Return a command line of `vade` for the workspace, word by word."""
        return [*self.program, "--workspace", str(self.workspace), *rest]

    def command(self, *rest: str) -> str:
        """Return the same for a shell."""
        return shlex.join(self.words(*rest))

    def passed_on(self) -> dict[str, str]:
        """Return the variables that say where state is, for hosts that pass few on."""
        return {name: self.variables[name] for name in _PASSED_ON if self.variables.get(name)}
