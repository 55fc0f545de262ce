"""Granting another agent to read this memory: what is checked before it is written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.agents import grants
from vademecum.agents.grants import Grant
from vademecum.agents.registry import Agent, load_registry
from vademecum.agents.scope import Caller
from vademecum.agents.view import remove_indexes
from vademecum.core.clock import human_day
from vademecum.core.errors import BadInput, InvalidConfiguration, NotFound
from vademecum.core.frozen import dataclass
from vademecum.markdown.kinds import Kind
from vademecum.service.asking import day_asked
from vademecum.service.catalogue import places
from vademecum.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Granted:
    """Who may read this memory, and whose memory this one's agent may read.

    A memory is of all members of a group: what any of them granted of it is listed for each.
    """

    agent: str
    """The registered agent; empty: none, and nothing can be granted."""
    given: tuple[Grant, ...] = ()
    """By this agent or a member of its group, past ones included."""
    past: tuple[Grant, ...] = ()
    """Those of `given` that hold no longer."""
    received: tuple[Grant, ...] = ()
    file: str = ""
    """Where the given ones stand; the folder of several such files."""


def grant(
    workspace: Workspace,
    caller: Caller,
    reader: str,
    *,
    folders: Sequence[str],
    kinds: Sequence[str],
    until: date | str | None,
) -> Grant:
    """Write down that `reader` may read this memory. Raises what `Memory.grant` says."""
    own = _owner(caller)
    known = load_registry(caller.variables).existing(reader)
    if known.workspace == own.workspace:
        raise BadInput(
            f"{known.name} has the memory of {own.name} for its own.",
            hint="Agents of one group share everything; there is nothing to grant.",
        )
    today = human_day(workspace.clock.now(), workspace.zone)
    last = day_asked(until)
    if last is not None and last < today:
        raise BadInput(
            f"{last} is past.", hint="Name today or a later day; to end one: vade revoke"
        )
    limits = places(workspace, tuple, folders) or ()
    return grants.grant(
        Grant(known.name, own.name, limits, _kinds(kinds), today, last), caller.variables
    )


def revoke(workspace: Workspace, caller: Caller, reader: str) -> tuple[Grant, ...]:
    """Take back what `reader` was granted; the agent itself may be gone by now.

    The indexes of what was granted in part go too: those that are still granted are made anew.
    Raises NotFound where that was nothing, for instance for a name that is misspelt.
    """
    own = _owner(caller)
    members = _members(caller, own)
    gone = [one for name in members for one in grants.revoke(reader, name, caller.variables)]
    if not gone:
        left = (one for name in members for one in grants.grants_of(name, caller.variables))
        readers = ", ".join(dict.fromkeys(one.reader for one in left))
        raise NotFound(
            f"{reader} was granted nothing of {own.name}, so nothing was taken back.",
            hint=f"Its memory is read by: {readers}." if readers else "Nobody reads its memory.",
        )
    remove_indexes(workspace)
    return tuple(gone)


def granted(workspace: Workspace, caller: Caller) -> Granted:
    """Return the grants of this memory's agent, and those to it. Raises InvalidConfiguration."""
    own = caller.own()
    if own is None:
        return Granted("")
    today = human_day(workspace.clock.now(), workspace.zone)
    known, members = load_registry(caller.variables).agents, _members(caller, own)
    others = [one.name for one in known if one.name not in members]
    given = [one for name in members for one in grants.grants_of(name, caller.variables)]
    file = grants.grants_file(own.name, caller.variables)
    return Granted(
        own.name,
        tuple(given),
        tuple(one for one in given if not one.holds_on(today)),
        tuple(
            one
            for owner in others
            for one in grants.granted(own.name, owner, today, caller.variables)
        ),
        str(file.parent if {one.owner for one in given} - {own.name} else file),
    )


def sharing(workspace: Workspace, caller: Caller) -> Granted:
    """Return the same for `status`, which says how things stand where that is not clear."""
    try:
        return granted(workspace, caller)
    except (BadInput, InvalidConfiguration):
        return Granted("")


def _kinds(given: Sequence[str]) -> tuple[str, ...]:
    known = {kind.value for kind in Kind}
    if wrong := sorted(set(given) - known):
        raise BadInput(f"There is no kind {wrong[0]!r}.", hint=f"Kinds are: {', '.join(Kind)}.")
    return tuple(dict.fromkeys(given))


def _members(caller: Caller, own: Agent) -> list[str]:
    """Return the agents whose memory this is, the caller's own first."""
    there = load_registry(caller.variables).at(own.workspace)
    return sorted((one.name for one in there), key=lambda name: name != own.name)


def _owner(caller: Caller) -> Agent:
    """Return the registered agent whose memory is open. Raises BadInput where there is none."""
    own = caller.own()
    if own is None:
        raise BadInput(
            f"{caller.root} is the memory of no registered agent, so nothing is shared.",
            hint=f"Register it first: vade agents add NAME {caller.root}",
        )
    return own
