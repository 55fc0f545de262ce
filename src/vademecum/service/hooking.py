"""What a hook of a host gets from memory: its turns on file, and the context it asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.agents.scope import find_caller
from vademecum.context.hosts import host_named
from vademecum.core.errors import BadInput, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.service.memory import Memory
from vademecum.service.opening import workspace_of
from vademecum.service.wiring import Parts
from vademecum.workspace.clock import SystemClock
from vademecum.workspace.config import environment, load_settings, state_home
from vademecum.workspace.workspace import Workspace
from vademecum.workspace.zones import zone_named

if TYPE_CHECKING:
    from vademecum.context.events import BootEvent
    from vademecum.context.hosts import Host
    from vademecum.context.hosts.heard import Heard

_COMPACTS = frozenset(("precompact", "precompress"))
"""Events of hosts that compact next, and let no agent write down anything before."""
_LOG = "hooks.log"
_LONGEST_LOG = 262_144
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What memory has to say to one event."""

    text: str = ""
    """To be put into the window; empty: nothing is."""
    complaints: tuple[str, ...] = ()
    """Why something that belongs there, or on file, is not: for the log, never for the host."""
    state: str = ""
    """The workspace's state directory, where the log is."""
    rest: Callable[[], None] | None = None
    """What is left to be done when the host has its answer and need not wait."""


def answer(
    host: str,
    event: str,
    fields: Mapping[str, object],
    *,
    workspace: str | None = None,
    agent: str | None = None,
    limit: int,
    length: Callable[[str], int],
) -> HookAnswer:
    """Do what an event of a host asks for; turns that it reports are durable when this returns.

    `event` is compared without case and separators. `length` says how long the host's answer is
    that holds a text; it stays within `limit`. Raises VademecumError.
    """
    spoken = host_named(host)
    heard = spoken.heard(_plain(event), fields)
    if not heard.known:
        raise BadInput(f"{host} reported {event[:60]!r} in a form that is not known here.")
    caller = find_caller(_start(spoken, fields), workspace, agent)
    if transcript := spoken.transcript(fields):
        caller.check_transcript(Path(transcript))
    opened = workspace_of(caller)
    name = caller.name or spoken.name
    text = ""
    complaints: list[str] = []
    if heard.boot is not None:
        memory = Memory(opened, Parts(opened), Actor(name, spoken.session(fields)), caller)
        text, complaints = _booted(memory, opened.settings.budget.boot, heard.boot, limit, length)
    rest = _captured(opened, spoken, heard, fields, complaints)
    if _plain(event) in _COMPACTS:
        actor = Actor(name, spoken.session(fields))
        rest = _kept(opened, actor, complaints, rest)
    return HookAnswer(text, tuple(complaints), str(opened.state), rest)


def _plain(event: str) -> str:
    return "".join(sign for sign in event.lower() if sign.isalnum())


def _start(host: Host, fields: Mapping[str, object]) -> Path:
    folder = host.folder(fields)
    named = Path(folder) if folder and "\0" not in folder else Path.cwd()
    return named if named.is_dir() else Path.cwd()


def _booted(
    memory: Memory, budget: int, event: BootEvent, limit: int, length: Callable[[str], int]
) -> tuple[str, list[str]]:
    made = memory.boot(event.value, budget=min(limit, budget), length=length)
    return made.text, [f"{one.path}: {one.reason}" for one in made.left_out]


def _captured(
    opened: Workspace,
    host: Host,
    heard: Heard,
    fields: Mapping[str, object],
    complaints: list[str],
) -> Callable[[], None] | None:
    """Put the event's turns on file; return what is left to be done behind the answer."""
    if not (heard.said or heard.sweep):
        return _pruning(opened) if heard.boot is not None else None
    from vademecum.context.capture import capture  # noqa: PLC0415  a window that begins has no turn

    try:
        done = capture(opened, host, heard, fields)
    except VademecumError as error:
        complaints.append(str(error))
        return None
    if not done.more:
        return None

    def go_on() -> None:
        while capture(opened, host, heard, fields).more:
            pass

    return go_on


def _kept(
    opened: Workspace,
    actor: Actor,
    complaints: list[str],
    rest: Callable[[], None] | None,
) -> Callable[[], None] | None:
    """Write down what lasts before the host compacts; once more behind what is not read yet."""
    from vademecum.context.flush import flush_sweep  # noqa: PLC0415  only before a compaction

    if not actor.session or not opened.settings.transcripts.capture:
        return rest

    def sweep() -> None:
        flush_sweep(opened, actor.session, actor=actor)

    try:
        sweep()
    except VademecumError as error:
        complaints.append(str(error))
    if rest is None:
        return None

    def after_the_rest() -> None:
        rest()
        sweep()

    return after_the_rest


def _pruning(opened: Workspace) -> Callable[[], None] | None:
    """Return how old transcripts are removed, where there is a folder of them."""
    if not (opened.state / "transcripts").is_dir():
        return None

    def prune() -> None:
        from vademecum.context.capture import transcripts_of  # noqa: PLC0415  as above

        days = opened.settings.transcripts.days
        transcripts_of(opened).prune(days, opened.clock.now().timestamp())

    return prune


def write_down(state: str, host: str, event: str, reason: str) -> None:
    """Add one line to the log of hooks, which never grows beyond a quarter of a megabyte.

    `state` is the workspace's state directory; where none is known it is that of all workspaces.
    What cannot be written is lost: nobody is there to be told.
    """
    with suppress(OSError, VademecumError):
        path = Path(state or _home()) / _LOG
        at = SystemClock(zone_named("UTC")).now().isoformat(timespec="seconds")
        line = " ".join(f"{at} {host or '-'} {event or '-'}: {reason}".split())[:_LONGEST_LINE]
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _LONGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
        finally:
            os.close(descriptor)


def _home() -> Path:
    variables = environment()
    try:
        return state_home(load_settings(None, None, variables), variables)
    except VademecumError:  # a broken configuration may be the very thing to tell of
        named = {key: variables[key] for key in ("HOME", "XDG_STATE_HOME") if key in variables}
        return state_home(
            load_settings(None, None, {**named, "XDG_CONFIG_HOME": "/dev/null"}), named
        )
