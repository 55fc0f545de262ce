"""Finding and making workspaces: what happens before there is a memory."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.agents.mark import check_mark, mark
from vademecum.agents.registry import load_registry
from vademecum.agents.scope import Caller, caller_name, check_named, check_taken, find_caller
from vademecum.core.errors import BadInput, Sealed
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.workspace.config import environment
from vademecum.workspace.keys import Value
from vademecum.workspace.workspace import Workspace, create_workspace, open_workspace

if TYPE_CHECKING:
    from vademecum.core.ports import Clock

_PERSON = "VADE_ACTOR_NAME"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A workspace after `init`: which of its first files it got, and which it had."""

    root: str
    id: str
    profile: str
    created: tuple[str, ...]
    kept: tuple[str, ...]


def init(
    path: str | Path,
    *,
    profile: str | None = None,
    agent: str | None = None,
    clock: Clock | None = None,
    settings: Mapping[str, Value] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Prepared:
    """Make the directory at `path` a workspace; nothing that exists is touched.

    A second run changes nothing, so it may run at every start. Raises InvalidPath (a file is in
    the way), InvalidConfiguration and what any write raises.
    """
    from vademecum.writing import scaffold  # noqa: PLC0415  opening a workspace needs it not

    check_reach(path, agent, variables)
    if name := caller_name(agent, variables):
        check_not_person(name)
    made = create_workspace(
        Path(path), profile=profile, flags=settings, variables=variables, clock=clock
    )
    done = scaffold.init(made, actor=actor_of(made, agent))
    return Prepared(str(made.root), made.id, made.profile.name, done.created, done.kept)


def caller_of(
    root: str | Path | None, agent: str | None, variables: Mapping[str, str] | None = None
) -> Caller:
    """Return who calls from the working directory, and the workspace that is theirs.

    Raises what `find_caller` does: WorkspaceNotFound, Sealed, InvalidConfiguration.
    """
    return find_caller(Path.cwd(), None if root is None else str(root), agent, variables)


def workspace_of(
    caller: Caller,
    *,
    profile: str | None = None,
    settings: Mapping[str, Value] | None = None,
    clock: Clock | None = None,
) -> Workspace:
    """Open the workspace of a caller, with what the registry sets for it.

    Under which name a person writes decides whose word a line is, so the environment of a call in
    the name of an agent does not say it. Raises InvalidConfiguration, WorkspaceNotFound,
    BadInput where the agent has that name itself, and Sealed where another registry than that of
    this call has the workspace.
    """
    given = environment() if caller.variables is None else caller.variables
    if caller.name:
        given = {key: value for key, value in given.items() if key != _PERSON}
    opened = open_workspace(
        caller.root,
        profile=profile,
        flags={**caller.settings(), **(settings or {})},
        variables=given,
        clock=clock,
        others=caller.others,
        elsewhere=lambda address: _elsewhere(caller, address, clock),
    )
    if caller.name:
        check_not_person(caller.name, opened.settings.actor.name)
    if caller.is_registered():
        mark(opened.state, given)
    elif caller.name:
        check_mark(opened.root, opened.state, caller.name, given)
    return opened


def check_not_person(name: str, *configured: str) -> None:
    """Let an agent have a name that no person writes under: the user's, or a configured one.

    Raises BadInput.
    """
    if name and name.casefold() in {one.casefold() for one in (user_name(), *configured)}:
        raise BadInput(
            f"{name} is the name under which you write yourself.",
            hint="What an agent writes must not look like your own words; choose another name.",
        )


def _elsewhere(
    caller: Caller, address: str, clock: Clock | None
) -> tuple[str, Workspace, str] | None:
    """Return what `OWNER:PATH` means to the caller at this moment."""
    if ":" not in address:
        return None
    from vademecum.agents.view import elsewhere  # noqa: PLC0415  few name another agent's memory

    return elsewhere(caller, address, clock)


def is_person(agent: str | None, variables: Mapping[str, str] | None = None) -> bool:
    """Whether a call that names `agent` is a person's: neither it nor VADE_AGENT names one."""
    return not caller_name(agent, variables)


def registered_name(
    owner: str, agent: str | None, variables: Mapping[str, str] | None = None
) -> str:
    """Return the name of the registered agent `owner`, in whose name the call may be made.

    Raises AgentNotFound, and Sealed where the call is made in the name of another one.
    """
    name = load_registry(variables).existing(owner).name
    caller = caller_name(agent, variables)
    if caller and caller.casefold() != name.casefold():
        raise Sealed(
            f"{caller} cannot decide who reads the memory of {name}.",
            hint=f"{name} itself decides, or a person: leave --agent out, and unset VADE_AGENT.",
        )
    return name


def check_reach(
    path: str | Path, agent: str | None, variables: Mapping[str, str] | None = None
) -> None:
    """Let a file that a call names by a path of the system be touched.

    Raises Sealed where the call is made in the name of an agent and the file is in the memory of
    another one.
    """
    check_named(Path(path), agent, variables)


def check_content(
    path: str | Path, agent: str | None, variables: Mapping[str, str] | None = None
) -> None:
    """Let what a file holds become part of the memory of whoever calls.

    Raises Sealed where the call is made in the name of an agent and the file is part of another
    memory, whether or not anybody is registered for that one.
    """
    check_taken(Path(path), agent, variables)


def actor_of(workspace: Workspace, agent: str | None) -> Actor:
    """Return in whose name things are written: the agent, the configured name, or the user."""
    settings = workspace.settings.actor
    return Actor(agent or settings.name or user_name(), settings.session)


def user_name() -> str:
    """Return the name of the user of this machine, under which a person writes by default."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a number that has no name
        return f"user-{os.getuid()}"
