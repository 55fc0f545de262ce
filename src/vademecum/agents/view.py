"""What a grant opens of another agent's memory: a workspace that holds only those notes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from vademecum.agents.grants import Grant, granted, grants_of
from vademecum.agents.registry import Agent, load_registry
from vademecum.agents.scope import Caller
from vademecum.core.clock import human_day
from vademecum.core.errors import AgentNotFound, InvalidConfiguration, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.notes import Role
from vademecum.core.patterns import later
from vademecum.core.ports import Clock, FileStamp
from vademecum.workspace.bounds import Bounds
from vademecum.workspace.config import environment
from vademecum.workspace.records import Records
from vademecum.workspace.scan import SUFFIXES, is_within
from vademecum.workspace.workspace import Workspace, open_workspace

EVERYBODY = "*"
"""In place of a name: the caller itself and all who grant it anything."""

_ADDRESS = later(r"\[*(?P<owner>[A-Za-z0-9][A-Za-z0-9_-]{1,39}):(?P<target>.+)\Z")
_LINES = later(r"[0-9]+(?:-[0-9]*)?\Z")
_NO_EMBEDDER = "VADE_EMBEDDER_PROVIDER"
_STATE = "VADE_STATE_DIRECTORY"
_FOLDER = "views"
"""In the owner's state directory: the indexes of what is granted in part."""


@dataclass(frozen=True, slots=True)
class View:
    """The granted part of one agent's memory, read only.

    Its workspace has no other notes: neither a scan nor a path, neither an index made of it nor a
    count knows of any. It is made for one call, from the grants as they are at that moment.
    """

    owner: str
    workspace: Workspace
    grants: tuple[Grant, ...]
    records: Callable[[], Records]
    """Who wrote what in all of that memory; nothing of it is shown to the reader."""


def address(caller: Caller, text: str) -> tuple[str, str] | None:
    """Return the agent and the target that `OWNER:TARGET` names; None for what is no such address.

    Whether it may be read is another question: nothing but the registry is asked here.
    """
    match = _ADDRESS.match(text.strip())
    if match is None or _LINES.match(match["target"]):
        return None
    known = load_registry(caller.variables).named(match["owner"])
    if known is None or known.workspace == caller.root:
        return None
    return known.name, match["target"].removesuffix("]]")


def elsewhere(caller: Caller, text: str, clock: Clock | None) -> tuple[str, Workspace, str] | None:
    """Return owner, granted part and path that `OWNER:PATH` means to the caller at this moment."""
    found = address(caller, text)
    if found is None:
        return None
    try:
        view = view_of(caller, found[0], clock)
    except AgentNotFound:
        return None
    return view.owner, view.workspace, found[1]


def owners_for(caller: Caller, clock: Clock) -> tuple[str, ...]:
    """Return the agents that grant the caller anything at this moment, by name."""
    own = caller.own()
    if own is None:
        return ()
    found = []
    for agent in load_registry(caller.variables).agents:
        if agent.workspace == caller.root:
            continue
        try:
            view_of(caller, agent.name, clock)
        except AgentNotFound:
            continue
        found.append(agent.name)
    return tuple(sorted(found))


def view_of(caller: Caller, owner: str, clock: Clock | None) -> View:
    """Return what the caller may read of `owner` at this moment.

    Raises AgentNotFound, in the same words whether there is no such agent, no grant, none any
    more, or no memory where the registry says.
    """
    reader, known = caller.own(), load_registry(caller.variables).named(owner)
    if reader is None or known is None or known.workspace == caller.root:
        raise _nobody(owner)
    if not _is_named(reader.name, known.name, caller.variables):
        raise _nobody(owner)
    try:
        opened = _opened(known, caller, clock)
    except VademecumError as error:
        raise _nobody(owner) from error
    today = human_day(opened.clock.now(), opened.zone)
    grants = granted(reader.name, known.name, today, caller.variables)
    if not grants:
        raise _nobody(owner)
    return View(known.name, _narrowed(opened, grants), grants, lambda: opened.files.records)


def _is_named(reader: str, owner: str, variables: Mapping[str, str] | None) -> bool:
    """Whether any grant names the reader; opening a workspace for nothing takes longer."""
    try:
        known = grants_of(owner, variables)
    except InvalidConfiguration:
        return False
    return any(one.reader.casefold() == reader.casefold() for one in known)


def _nobody(owner: str) -> AgentNotFound:
    return AgentNotFound(
        f"No agent called {owner!r} lets you read its memory.",
        hint="`vade grants` lists whose you may read; an owner grants it with `vade grant`.",
    )


def _opened(agent: Agent, caller: Caller, clock: Clock | None) -> Workspace:
    """Open the owner's workspace by the owner's configuration, not by that of this process.

    What the environment sets for the reader (which service makes its vectors, how its notes are
    cut) would send the owner's text elsewhere, and make its index anew each time. Vectors can be
    turned off, though.
    """
    given = environment() if caller.variables is None else caller.variables
    own = {key: value for key, value in given.items() if not key.startswith("VADE_")}
    if given.get(_NO_EMBEDDER) == "none":
        own[_NO_EMBEDDER] = "none"
    opened = _opened_by(agent, caller, clock, own)
    if _STATE in given and not opened.ledger.path.exists():
        # An installation whose state is all elsewhere; the reader's own place is none of it.
        moved = _opened_by(agent, caller, clock, {**own, _STATE: given[_STATE]})
        return moved if moved.ledger.path.exists() else opened
    return opened


def _opened_by(
    agent: Agent, caller: Caller, clock: Clock | None, own: Mapping[str, str]
) -> Workspace:
    return open_workspace(
        agent.workspace,
        flags=agent.settings,
        variables=own,
        clock=clock,
        others=lambda: load_registry(caller.variables).others(agent.workspace),
    )


def _narrowed(opened: Workspace, grants: Sequence[Grant]) -> Workspace:
    """Return the workspace of only what is granted; an index of a part is kept beside the whole."""
    bounds = (opened.bounds or Bounds(opened.root)).narrowed(_choice(opened, grants))
    state = opened.state
    if not any(grant.whole for grant in grants):
        limits = sorted(repr((sorted(one.folders), sorted(one.kinds))) for one in grants)
        state = state / _FOLDER / text_digest("\n".join(limits))[:16]
    return replace(opened, state=state, bounds=bounds)


def remove_indexes(workspace: Workspace) -> None:
    """Remove every index that was made of a part of this memory; each is made anew when asked for.

    What cannot be removed stays; whoever looks through the state directory finds it there.
    """
    shutil.rmtree(workspace.state / _FOLDER, ignore_errors=True)


def _choice(
    opened: Workspace, grants: Sequence[Grant]
) -> Callable[[Mapping[str, FileStamp]], Mapping[str, FileStamp]]:
    kinds: dict[tuple[str, FileStamp], str] = {}

    def kind_of(path: str, stamp: FileStamp) -> str:
        key = (path, stamp)
        if key not in kinds:
            kinds[key] = _kind(opened, path)
        return kinds[key]

    def fits(grant: Grant, path: str, stamp: FileStamp) -> bool:
        if path.startswith(".") or "/." in path or not path.lower().endswith(SUFFIXES):
            return False
        if grant.folders and not is_within(path, grant.folders):
            return False
        return not grant.kinds or kind_of(path, stamp) in grant.kinds

    def choose(files: Mapping[str, FileStamp]) -> Mapping[str, FileStamp]:
        return {
            path: stamp
            for path, stamp in files.items()
            if any(fits(grant, path, stamp) for grant in grants)
        }

    return choose


def _kind(opened: Workspace, path: str) -> str:
    """Return the kind of a note: `type` of its frontmatter, else that of its folder, or nothing."""
    from vademecum.markdown.lines import decode  # noqa: PLC0415  most grants name no kind
    from vademecum.markdown.parse import parse_note  # noqa: PLC0415  as above
    from vademecum.writing.route import FOLDERS  # noqa: PLC0415  as above

    try:
        text = decode(opened.files.read(path).data).text
    except VademecumError:
        return ""
    role = opened.role_of(path)
    written = parse_note(path, text, role).properties.text("type").strip().casefold()
    if written or role is not Role.CONCEPT:
        return written
    by_folder = {folder: kind.value for kind, folder in FOLDERS.items()}
    return next((by_folder[part] for part in path.split("/")[-2::-1] if part in by_folder), "")
