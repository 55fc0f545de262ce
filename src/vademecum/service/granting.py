"""Granting another agent to read this memory: what is checked before it is written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.agents import grants
from vademecum.agents.grants import Grant
from vademecum.agents.registry import Agent, load_registry
from vademecum.agents.scope import Caller
from vademecum.core.clock import human_day
from vademecum.core.errors import BadInput, InvalidConfiguration
from vademecum.core.frozen import dataclass
from vademecum.markdown.kinds import Kind
from vademecum.service.asking import day_asked
from vademecum.service.catalogue import places
from vademecum.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Granted:
    """Who may read this memory, and whose memory this one's agent may read, past ones included."""

    agent: str
    """The registered agent; empty: none, and nothing can be granted."""
    given: tuple[Grant, ...] = ()
    received: tuple[Grant, ...] = ()
    file: str = ""
    """Where the given ones stand."""


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


def revoke(caller: Caller, reader: str) -> tuple[Grant, ...]:
    """Take back what `reader` was granted; the agent itself may be gone by now."""
    return grants.revoke(reader, _owner(caller).name, caller.variables)


def granted(workspace: Workspace, caller: Caller) -> Granted:
    """Return the grants of this memory's agent, and those to it. Raises InvalidConfiguration."""
    own = caller.own()
    if own is None:
        return Granted("")
    today = human_day(workspace.clock.now(), workspace.zone)
    others = [one.name for one in load_registry(caller.variables).agents if one.name != own.name]
    return Granted(
        own.name,
        grants.grants_of(own.name, caller.variables),
        tuple(
            one
            for owner in others
            for one in grants.granted(own.name, owner, today, caller.variables)
        ),
        str(grants.grants_file(own.name, caller.variables)),
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


def _owner(caller: Caller) -> Agent:
    """Return the registered agent whose memory is open. Raises BadInput where there is none."""
    own = caller.own()
    if own is None:
        raise BadInput(
            f"{caller.root} is the memory of no registered agent, so nothing is shared.",
            hint=f"Register it first: vade agents add NAME {caller.root}",
        )
    return own
