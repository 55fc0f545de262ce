"""Whose memory a call may touch: decided from who calls, here and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from vademecum.agents.mark import marked, marked_at
from vademecum.agents.registry import Agent, FormerName, Registry, load_registry
from vademecum.agents.twins import linked
from vademecum.core.errors import BadInput, Sealed, WorkspaceNotFound
from vademecum.core.frozen import dataclass
from vademecum.workspace.config import FILE as CONFIGURATION
from vademecum.workspace.config import environment, load_settings, state_home, user_home
from vademecum.workspace.keys import Value
from vademecum.workspace.places import find_workspace
from vademecum.workspace.workspace import open_workspace

BINDING = "VADE_AGENT"
"""The variable that binds a process, and what it starts, to one agent."""


@dataclass(frozen=True, slots=True)
class Caller:
    """In whose name a call is made, and the one workspace that is open to it.

    Made once, at the start of a process; no argument of a later call changes it.
    """

    root: Path
    """Real and absolute."""
    agent: str = ""
    """The registered agent; empty: a person, or a name that is registered nowhere."""
    name: str = ""
    """The name to write under that was given; empty: that of the configuration."""
    variables: Mapping[str, str] | None = None
    """What stands for the environment."""

    def check(self) -> None:
        """Let a call be made if the registry still gives this caller this workspace.

        Raises Sealed, and InvalidConfiguration where the registry cannot be understood.
        """
        registry = load_registry(self.variables)
        if self.agent:
            if self.agent not in {owner.name for owner in registry.at(self.root)}:
                raise Sealed(
                    f"{self.root} is the memory of the agent {self.agent} no longer.",
                    hint=_remedy(self.agent, registry)
                    or "`vade agents list` shows whose it is; start again in its name.",
                )
        elif self.name:
            _check_stranger(self.root, self.name, registry, _given(self.variables))

    def others(self) -> Collection[Path]:
        """Return the workspaces of all other agents, at this moment."""
        return load_registry(self.variables).others(self.root)

    def own(self) -> Agent | None:
        """Return the registered agent whose memory this is.

        A person stands for the one agent of a workspace. Raises BadInput where there are several.
        """
        registry = load_registry(self.variables)
        if self.agent:
            return registry.named(self.agent)
        owners = registry.at(self.root)
        if len(owners) > 1:
            names = ", ".join(owner.name for owner in owners)
            raise BadInput(
                f"{self.root} is the memory of several agents: {names}.",
                hint="Say in whose name to ask: --agent NAME.",
            )
        return owners[0] if owners else None

    def former_names(self, actor: str) -> tuple[FormerName, ...]:
        """Return under which names the agent `actor` of this workspace wrote before."""
        owners = load_registry(self.variables).at(self.root)
        found = (one.formerly for one in owners if one.name.casefold() == actor.casefold())
        return next(found, ())

    def check_source(self, path: Path) -> None:
        """Let a file or directory of the system be taken into this memory.

        Raises Sealed where the caller is no person and it is a part of another memory.
        """
        if self.name:
            check_taken(path, self.name, self.variables, self.root)

    def check_target(self, path: Path) -> None:
        """Let a file or directory of the system be written in this caller's name. Raises Sealed."""
        if self.name:
            check_named(path, self.name, self.variables)

    def check_transcript(self, path: Path) -> None:
        """Let a host's own transcript be read in this caller's name. Raises Sealed.

        A hidden folder of a workspace is its host's, and no part of the memory; nor is all that
        lies in a home directory part of the workspace that this is.
        """
        if not self.name:
            return
        check_named(path, self.name, self.variables)
        real = _real(str(path))
        around = None if real is None else _around(real, self.root)
        if real is None or around is None or around in self.root.parents:
            return
        if not any(part.startswith(".") for part in real.relative_to(around).parts[:-1]):
            raise _taken(path, self.name)

    def is_registered(self) -> bool:
        """Whether any agent is registered for the workspace."""
        return bool(load_registry(self.variables).at(self.root))

    def settings(self) -> dict[str, str]:
        """Return the keys of the configuration that the registry sets for this workspace."""
        owners = load_registry(self.variables).at(self.root)
        return owners[0].settings if owners else {}


def check_named(path: Path, agent: str | None, variables: Mapping[str, str] | None = None) -> None:
    """Let a file or directory that is named by a path of the system be read or written.

    A person has no such limits. Raises Sealed where the call is made in the name of an agent, or
    any other, and the path is in the workspace or state of another agent, is where agents and
    grants are written down, or holds any of these.
    """
    name = caller_name(agent, variables)
    registry = load_registry(variables)
    if not name or not registry.agents:
        return
    real = _real(str(path))
    if real is not None and _meet(real, (user_home(_given(variables)).resolve(),)):
        raise Sealed(
            f"{path} is where a person says who reads whose memory, or holds that place.",
            hint="Name another path: no agent reads or writes there.",
        )
    known = registry.named(name)
    own = None if known is None else known.workspace
    if real is None or _is_of_others(real, own, variables):
        raise Sealed(
            f"{path} is in the memory of another agent, or holds one.",
            hint="Ask its owner for a grant: `vade grant READER OWNER`.",
        )


def check_taken(
    path: Path,
    agent: str | None,
    variables: Mapping[str, str] | None = None,
    own: Path | None = None,
) -> None:
    """Let what is at a path of the system be taken into the memory of the agent that calls.

    That is one memory's content in another, so only a person takes it from a workspace, registered
    or not. Raises Sealed where `check_named` does, and where the call is made in the name of an
    agent and the path is or is in another workspace than its own, or is, is in or holds one that
    was registered once. `own` is the workspace of a caller that is not registered; without one,
    any is open to it that is no agent's.
    """
    check_named(path, agent, variables)
    name = caller_name(agent, variables)
    known = load_registry(variables).named(name) if name else None
    own = own if known is None else known.workspace
    if not name or own is None:
        return
    real = _real(str(path))
    if real is None or _around(real, own) is not None or marked({real}) - {own}:
        raise _taken(path, name)
    within = _is_within(real, own)
    once = marked(_state_homes(variables)) - {own}
    if _meet(real, [place for place in once if not within or own in place.parents]):
        raise _taken(path, name)


def _around(real: Path, own: Path) -> Path | None:
    """Return the innermost workspace that a real path is or is in, unless it is the caller's.

    The state directory of one that an agent has or had counts as it does itself.
    """
    for folder in (real, *real.parents):
        if own in (folder, marked_at(folder)):
            return None
        if os.path.lexists(folder / CONFIGURATION) or marked_at(folder) is not None:
            return folder
    return None


def _taken(path: Path, name: str) -> Sealed:
    return Sealed(
        f"{path} is in a memory that is not {name}'s own, or holds one, and only a person takes "
        "one memory over into another.",
        hint=f"Let a person run it: without --agent, and where {BINDING} is not set.",
    )


def _is_of_others(real: Path, own: Path | None, variables: Mapping[str, str] | None) -> bool:
    """Whether a real path is in the workspace or state of any agent but that at `own`."""
    places = {agent.workspace for agent in load_registry(variables).agents}
    inside = (place for place in places if _is_within(real, place))
    innermost = max(inside, key=lambda place: len(place.parts), default=own)
    if innermost != own or any(real in place.parents for place in places if place != own):
        return True
    homes, twins = _state_homes(variables), linked(real)
    near = _meet(real, homes)
    if not (near or twins):
        return False
    state = _own_state(own, variables)
    if near and not _is_within(real, state):
        return True
    kept = {one for one in (own, state) if one is not None}
    return any(not twins.isdisjoint(linked(one, kept)) for one in (places | homes) - kept)


def _state_homes(variables: Mapping[str, str] | None) -> frozenset[Path]:
    """Return the real directories in which the state of any workspace may be."""
    given = _given(variables)
    # Others keep their state where it is, whatever this process was told about its own.
    plain = {key: value for key, value in given.items() if not key.startswith("VADE_")}
    homes = {state_home(load_settings(None, None, each), each) for each in (given, plain)}
    homes |= {Path(one.state) for one in load_registry(variables).agents if one.state}
    return frozenset(home for home in map(_real, map(str, homes)) if home is not None)


def _own_state(own: Path | None, variables: Mapping[str, str] | None) -> Path | None:
    if own is None:
        return None
    caller = Caller(own, variables=variables)
    flags: dict[str, Value] = {**caller.settings()}
    opened = open_workspace(own, flags=flags, variables=_given(variables), others=caller.others)
    return opened.state.resolve()


def _meet(real: Path, folders: Collection[Path]) -> bool:
    """Whether a real path is one of the folders, in one, or holds one."""
    return any(real == it or it in real.parents or real in it.parents for it in folders)


def _is_within(path: Path, folder: Path | None) -> bool:
    return folder is not None and (path == folder or folder in path.parents)


def _given(variables: Mapping[str, str] | None) -> Mapping[str, str]:
    return environment() if variables is None else variables


def caller_name(agent: str | None, variables: Mapping[str, str] | None = None) -> str:
    """Return in whose name a call is made that names `agent`; empty for a person. Raises Sealed."""
    variables = _given(variables)
    return _name(load_registry(variables), agent or "", variables.get(BINDING, ""))


def find_caller(
    start: Path,
    workspace: str | None = None,
    agent: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Caller:
    """Return who calls from the directory `start`, and the workspace that is theirs.

    `agent` (a flag) or else VADE_AGENT says in whose name. A registered name opens that agent's
    workspace and no other; any other name is only one to write under, and opens nothing that is in
    or above what belongs to an agent. The workspace is otherwise `workspace` (a flag),
    VADE_WORKSPACE, the nearest one from `start` upwards, or that of the default agent. What
    contradicts each other is refused.
    Raises Sealed, WorkspaceNotFound, InvalidConfiguration.
    """
    variables = _given(variables)
    registry = load_registry(variables)
    name = _name(registry, agent or "", variables.get(BINDING, ""))
    known = registry.named(name) if name else None
    if known is not None:
        _check_named(known, workspace, variables)
        return Caller(known.workspace, known.name, known.name, variables)
    root = _nearest(start, workspace, variables, registry)
    if name:
        _check_stranger(root, name, registry, variables)
    return Caller(root, "", name, variables)


def _name(registry: Registry, given: str, bound: str) -> str:
    """Return the name that a call is made in; a process that is bound has no other.

    One that was bound to an agent which was removed or renamed since does not become any other.
    """
    if not (given and bound) or given.casefold() == bound.casefold():
        return bound or given
    if registry.named(bound) is None and registry.named(given) is None:
        return given
    raise Sealed(
        f"This process is bound to the agent {bound}, and cannot call as {given}.",
        hint=f"{BINDING} binds it; a person starts another without that variable.",
    )


def _check_named(agent: Agent, workspace: str | None, variables: Mapping[str, str]) -> None:
    for source, path in (
        ("--workspace", workspace),
        ("VADE_WORKSPACE", variables.get("VADE_WORKSPACE")),
    ):
        if path and _real(path) != agent.workspace:
            raise Sealed(
                f"{source} names {path}, which is not the memory of the agent {agent.name}.",
                hint=f"Leave one of the two out: the memory of {agent.name} is found by its name.",
            )
        if path:
            return


def _real(path: str) -> Path | None:
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _nearest(
    start: Path, workspace: str | None, variables: Mapping[str, str], registry: Registry
) -> Path:
    known = frozenset(agent.workspace for agent in registry.agents)
    try:
        return find_workspace(start, workspace, variables, known)
    except WorkspaceNotFound:
        default = registry.default
        if workspace or variables.get("VADE_WORKSPACE") or default is None:
            raise
        return default.workspace


def _check_stranger(
    root: Path, name: str, registry: Registry, variables: Mapping[str, str]
) -> None:
    """Let a name that is registered nowhere have a workspace that no agent's files are near.

    Raises Sealed for one that is in the workspace or state of an agent or where agents and grants
    are written down, or holds any of these: a folder of a memory is no memory of its own.
    """
    if not registry.agents:
        return
    if owners := registry.at(root):
        raise _stranger(root, name, owners, registry)
    near = [agent for agent in registry.agents if _meet(root, (agent.workspace,))]
    if near:
        names = ", ".join(agent.name for agent in near)
        raise Sealed(
            f"{root} is in the memory of {names}, or holds it, and {name} is no agent there.",
            hint=_remedy(name, registry) or "Name another workspace, or leave --agent out.",
        )
    if _meet(root, {user_home(variables).resolve(), *_state_homes(variables)}):
        raise Sealed(
            f"{root} is where agents, grants or their state are kept, or holds that place.",
            hint=_remedy(name, registry) or "Name another workspace, or leave --agent out.",
        )


def _stranger(root: Path, name: str, owners: Collection[Agent], registry: Registry) -> Sealed:
    names = ", ".join(owner.name for owner in owners)
    return Sealed(
        f"{root} is the memory of {names}, and no agent called {name} is registered for it.",
        hint=_remedy(name, registry)
        or f"Add it to the group: vade agents add {name} --group NAME; or leave --agent out.",
    )


def _remedy(name: str, registry: Registry) -> str:
    """Return what to do for a name that an agent had before it was renamed; else nothing."""
    wanted = name.casefold()
    for agent in registry.agents:
        if any(former.name.casefold() == wanted for former in agent.formerly):
            return f"{name} was renamed: start it again as {agent.name} ({BINDING}={agent.name})."
    return ""
