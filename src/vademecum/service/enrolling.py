"""The verb `agents`: who is registered on this installation; it needs no memory to be open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from vademecum.agents import enrol
from vademecum.agents.grants import granted
from vademecum.agents.registry import Agent, Registry, load_registry
from vademecum.agents.scope import Caller, caller_name
from vademecum.core.clock import human_day
from vademecum.core.errors import BadInput, Refused, VademecumError, WorkspaceNotFound
from vademecum.core.frozen import dataclass
from vademecum.service.opening import check_not_person, workspace_of
from vademecum.workspace.clock import SystemClock
from vademecum.workspace.config import environment, load_settings

if TYPE_CHECKING:
    from vademecum.core.ports import Clock
    from vademecum.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Registered:
    """One agent, and where what belongs to it is."""

    name: str
    workspace: str
    group: str = ""
    default: bool = False
    embedder: str = ""
    """Its own; empty: that of the configuration."""
    state: str = ""
    """Its state directory; empty where there is no workspace at the moment."""
    index: str = ""
    """Its index, which may still have to be made."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The registered agents, in the order of their file."""

    agents: tuple[Registered, ...]
    file: str


def agents(
    *,
    agent: str | None = None,
    clock: Clock | None = None,
    variables: Mapping[str, str] | None = None,
) -> Roster:
    """Return every registered agent; in the name of one, itself, its group and who grants it.

    Raises InvalidConfiguration, Sealed.
    """
    registry = load_registry(variables)
    name = caller_name(agent, variables)
    shown = [one for one in registry.agents if _may_see(registry, name, one, clock, variables)]
    return Roster(tuple(_registered(one, variables) for one in shown), str(registry.file))


def add(
    name: str,
    workspace: str | Path | None = None,
    *,
    group: str = "",
    embedder: str = "",
    state: str = "",
    default: bool = False,
    agent: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Registered:
    """Register an agent, or change what is registered of it; files are not touched.

    A member of a group needs no workspace: it has that of the group. Raises BadInput, Refused,
    Sealed (agents register no agents), WorkspaceNotFound, and what any write raises.
    """
    _check_person(agent, variables)
    _check_name(name, variables)
    registry = load_registry(variables)
    known = registry.named(name)
    fellow = next((one for one in registry.agents if group and one.group == group), None)
    place = _place(name, workspace, known, fellow)
    shared = fellow or known
    done = Agent(
        known.name if known else name,
        place,
        group or (known.group if known else ""),
        embedder or (shared.embedder if shared else ""),
        str(Path(state).expanduser().resolve()) if state else (shared.state if shared else ""),
        default or (known.default if known else False),
    )
    enrol.add(done, variables)
    return _registered(done, variables)


def remove(
    name: str, *, agent: str | None = None, variables: Mapping[str, str] | None = None
) -> Registered:
    """Take an agent out of the registry, with every grant to and from it; its memory stays.

    Raises AgentNotFound, Sealed, and what any write raises.
    """
    _check_person(agent, variables)
    return _registered(enrol.remove(name, variables), variables)


def rename(
    old: str,
    new: str,
    *,
    agent: str | None = None,
    clock: Clock | None = None,
    variables: Mapping[str, str] | None = None,
) -> Registered:
    """Give an agent another name; its grants follow, and what it wrote stays its own.

    Raises as `add` and `remove` do.
    """
    _check_person(agent, variables)
    _check_name(new, variables)
    at = (clock or SystemClock(ZoneInfo("UTC"))).now()
    return _registered(enrol.rename(old, new, at, variables), variables)


def _check_person(agent: str | None, variables: Mapping[str, str] | None) -> None:
    name = caller_name(agent, variables)
    if name:
        raise Refused(
            f"Which agents there are is a person's decision, not that of {name}.",
            hint="Leave --agent out, and unset VADE_AGENT.",
        )


def _check_name(name: str, variables: Mapping[str, str] | None) -> None:
    """Let an agent be called so: by no name that a person writes under, here or by a file."""
    given = environment() if variables is None else variables
    check_not_person(name, load_settings(None, None, given).actor.name)


def _place(
    name: str, workspace: str | Path | None, known: Agent | None, fellow: Agent | None
) -> Path:
    shared = fellow or known
    if workspace is None:
        if shared is None:
            raise BadInput(f"Where is the memory of {name}?", hint="vade agents add NAME PATH")
        return shared.workspace
    try:
        place = Path(workspace).expanduser().resolve(strict=True)
        there = place.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkspaceNotFound(
            f"There is no directory {workspace}.", hint="Make a workspace with `vade init PATH`."
        ) from error
    if not there:
        raise WorkspaceNotFound(f"{workspace} is no directory.", hint="Name the workspace.")
    if fellow is not None and place != fellow.workspace:
        raise BadInput(
            f"The group {fellow.group} has its memory in {fellow.workspace}.",
            hint=f"Leave the path out: vade agents add {name} --group {fellow.group}",
        )
    return place


def _may_see(
    registry: Registry,
    name: str,
    other: Agent,
    clock: Clock | None,
    variables: Mapping[str, str] | None,
) -> bool:
    if not name:
        return True
    own = registry.named(name)
    if own is None:
        return False
    if other.workspace == own.workspace:
        return True
    opened = _opened(other, variables, clock)
    if opened is None:
        return False
    today = human_day(opened.clock.now(), opened.zone)
    return bool(granted(own.name, other.name, today, variables))


def _opened(
    agent: Agent, variables: Mapping[str, str] | None, clock: Clock | None = None
) -> Workspace | None:
    try:
        return workspace_of(Caller(agent.workspace, agent.name, agent.name, variables), clock=clock)
    except VademecumError:
        return None


def _registered(agent: Agent, variables: Mapping[str, str] | None) -> Registered:
    opened = _opened(agent, variables)
    state = "" if opened is None else str(opened.state)
    return Registered(
        agent.name,
        str(agent.workspace),
        agent.group,
        agent.default,
        agent.embedder,
        state,
        str(Path(state) / "index.sqlite") if state else "",
    )
