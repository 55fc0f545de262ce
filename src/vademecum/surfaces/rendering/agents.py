"""Agents and grants as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.lines import Line, columns, line
from vademecum.surfaces.rendering.visible import visible

if TYPE_CHECKING:
    from vademecum.service.enrolling import Registered, Roster
    from vademecum.service.sharing import Grant, Granted

_DONE = {"add": "registered", "remove": "no longer registered", "rename": "renamed"}


def roster(found: Roster) -> Iterator[Line]:
    """Yield a line for each agent, then where they stand."""
    rows = [
        (
            one.name,
            visible(one.workspace),
            f"group {one.group}" if one.group else "",
            "default" if one.default else "",
            visible(one.embedder),
            "" if one.state else "no workspace there",
        )
        for one in found.agents
    ]
    yield from columns(rows, styles=("strong", "place", "", "good", "", "warning"))
    if not rows:
        yield line("No agent is registered; `vade agents add NAME PATH` registers one.")
    yield line((visible(found.file), "faint"))


def registered(one: Registered, action: str) -> Iterator[Line]:
    """Yield what became of one agent."""
    yield line((f"{one.name} {_DONE[action]}", "good"), "  ", (visible(one.workspace), "place"))
    if action == "remove":
        yield line("Its memory was not touched; every grant to and from it has ended.")
    elif one.state:
        yield line((f"state  {visible(one.state)}", "faint"))


def granted(one: Grant) -> Iterator[Line]:
    """Yield what may be read from now on."""
    yield line((f"{one.reader} may read {one.owner}", "good"), f": {_limits(one)}")
    told = f"It is read when it is asked for: vade recall TEXT --from {one.owner}"
    yield line((f"{told} --agent {one.reader}", "faint"))


def revoked(reader: str, owner: str, gone: Sequence[Grant]) -> Iterator[Line]:
    """Yield what may not be read any more."""
    told = f"{visible(reader)} may no longer read {visible(owner)}"
    yield line((told, "good"), f"  {plural(len(gone), 'grant')} taken back")


def grants(found: Granted) -> Iterator[Line]:
    """Yield who may read this memory, then whose memory it may read."""
    if not found.agent:
        yield line("This is the memory of no registered agent; nothing is shared.")
        return
    for one in found.given:
        if one in found.past:
            yield line((f"{one.reader} could read {one.owner}, past", "faint"), f": {_limits(one)}")
        else:
            yield line((f"{one.reader} may read {one.owner}", "strong"), f": {_limits(one)}")
    for one in found.received:
        yield line((f"{one.owner} may be read", "strong"), f": {_limits(one)}")
    if not (found.given or found.received):
        yield line(f"Nobody reads the memory of {found.agent}, and it reads nobody's.")
    yield line((visible(found.file), "faint"))


def _limits(one: Grant) -> str:
    parts = [", ".join(map(visible, one.folders)) or "all folders"]
    parts.append(", ".join(one.kinds) or "all kinds")
    if one.since:
        parts.append(f"since {one.since.isoformat()}")
    if one.until:
        parts.append(f"until {one.until.isoformat()}")
    return "; ".join(parts)
