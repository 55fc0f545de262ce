"""The verbs `install` and `uninstall`: a coding agent gets memory, or is as it was before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vademecum.agents.scope import find_caller
from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.service.hosts import set_up
from vademecum.service.hosts.known import known
from vademecum.service.hosts.round_trip import Asked as Asked
from vademecum.service.hosts.round_trip import asked
from vademecum.service.hosts.set_up import FileDone as FileDone
from vademecum.service.hosts.set_up import ToPaste as ToPaste
from vademecum.service.hosts.setting import Setting
from vademecum.workspace.config import environment


@dataclass(frozen=True, slots=True)
class Installed:
    """What was done to the configuration of a host, and how the round trip went."""

    host: str
    workspace: str
    files: tuple[FileDone, ...]
    asked: tuple[Asked, ...] = ()
    afterwards: str = ""
    """What is left to the user."""

    @property
    def works(self) -> bool:
        """Whether all that was asked answered."""
        return all(one.works for one in self.asked)


def install(
    host: str,
    *,
    program: tuple[str, ...],
    root: str | Path | None = None,
    agent: str | None = None,
    project: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Installed:
    """Put hooks, server and skill into a host's configuration, and ask both once.

    `program` starts `vade`, by absolute paths. What it starts is bound to the registered `agent`.
    With `project` it is that project's configuration,
    else the user's. Twice is as good as once. Raises BadInput, WorkspaceNotFound,
    ForeignConfiguration and what writing raises.
    """
    setting = _setting(program, root, agent, project, variables)
    done = set_up.install(host, setting)
    about = known(host)
    told = tuple(asked(about, setting))
    return Installed(host, str(setting.workspace), done, told, about.afterwards)


def to_paste(
    host: str,
    *,
    program: tuple[str, ...],
    root: str | Path | None = None,
    agent: str | None = None,
    project: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> tuple[ToPaste, ...]:
    """Return what `install` would put where; nothing is read or written."""
    return set_up.pasted(host, _setting(program, root, agent, project, variables))


def uninstall(
    host: str,
    *,
    project: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Installed:
    """Take back what `install` put into a host's configuration, and nothing else."""
    variables = environment() if variables is None else variables
    nowhere = Setting(("vade",), Path("/"), project, variables)
    return Installed(host, "", set_up.uninstall(host, nowhere))


def _setting(
    program: tuple[str, ...],
    root: str | Path | None,
    agent: str | None,
    project: Path | None,
    variables: Mapping[str, str] | None,
) -> Setting:
    variables = environment() if variables is None else variables
    if not program or not Path(program[0]).is_absolute():
        raise BadInput("Where the program vade is cannot be found out.", hint="Name it: --program.")
    named = None if root is None else str(root)
    caller = find_caller(project or Path.cwd(), named, agent, variables)
    if caller.agent:
        program = (*program, "--agent", caller.agent)
    return Setting(program, caller.root, project.resolve() if project else None, variables)
