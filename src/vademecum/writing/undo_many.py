"""Taking back all that one session or one actor wrote, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.core.changes import Change, Effect, Written
from vademecum.core.clock import human_day
from vademecum.core.errors import (
    ChangedMeanwhile,
    LedgerEntryNotFound,
    NoteNotFound,
    Refused,
    Unreadable,
)
from vademecum.core.frozen import dataclass
from vademecum.core.ids import new_entry_id
from vademecum.core.notes import Role
from vademecum.core.provenance import Actor
from vademecum.workspace.conflicts import VERB as CONFLICT
from vademecum.workspace.workspace import Workspace
from vademecum.writing.moves import other_half
from vademecum.writing.scaffold import INIT
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import FORGET
from vademecum.writing.undo import standing_of, take_back
from vademecum.writing.undo_maps import maps_in_step


@dataclass(frozen=True, slots=True)
class Left:
    """A change that could not be taken back; the file is as others left it."""

    change: Change
    why: str
    kept: str = ""
    """Conflict record that holds the version from before the change."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back, newest first, and what was not."""

    written: tuple[Written, ...]
    left: tuple[Left, ...] = ()


def undo_of(
    workspace: Workspace,
    *,
    actor: Actor,
    session: str | None = None,
    by: str | None = None,
    since: date | None = None,
) -> Undone:
    """Take back all that a session, or an actor, wrote from `since` on, newest first.

    What others changed at the same lines since is not taken back: the file stays and the version
    from before is kept in a conflict record. The halves of a move stand or fall together. What was
    taken back already stays so. Every step is a change of its own, all in one group. Raises
    LedgerEntryNotFound when there is nothing.
    """
    workspace.files.recover()
    changes = [
        change
        for change in workspace.ledger.changes(session=session, actor=by)
        if since is None or human_day(change.at, workspace.zone) >= since
    ]
    if not changes:
        whose = f"the session {session}" if session is not None else f"the actor {by}"
        raise LedgerEntryNotFound(
            f"Nothing in the ledger was written by {whose}.", hint="See who wrote: vade history."
        )
    return _all(workspace, changes, actor)


def _all(workspace: Workspace, changes: Sequence[Change], actor: Actor) -> Undone:
    group = new_entry_id(workspace.clock.now())
    written: list[Written] = []
    left: list[Left] = []
    done: list[str] = []
    for change in reversed(_to_take_back(workspace, changes)):
        try:
            written.append(take_back(workspace, change, actor, group))
        except (ChangedMeanwhile, Refused, Unreadable) as error:
            left.append(Left(change, str(error), _kept(workspace, change, actor)))
        else:
            done.append(change.path)
    if any(_is_map_of_call(workspace, change) for change in changes):
        written += maps_in_step(workspace, list(dict.fromkeys(done)), actor, group, changes)
    return Undone(tuple(written), tuple(left))


def _to_take_back(workspace: Workspace, changes: Sequence[Change]) -> list[Change]:
    """Return the changes that stand, without those that only took back one of them.

    What was forgotten comes back only when that is named itself, and the first files of a
    workspace are nobody's memory: they stay. Of a call that wrote several files, maps are left
    out: they are brought in step afterwards.
    """
    own = {change.id for change in changes}
    return [
        change
        for change in standing_of(workspace, changes)
        if change.verb not in (CONFLICT, FORGET, INIT)
        and change.effect is not Effect.ASK
        and change.undoes not in own
        and not _is_map_of_call(workspace, change)
    ]


def _is_map_of_call(workspace: Workspace, change: Change) -> bool:
    return bool(change.group) and workspace.role_of(change.path) is Role.MAP


def _kept(workspace: Workspace, change: Change, actor: Actor) -> str:
    if change.effect not in (Effect.REPLACE, Effect.REMOVE) or other_half(workspace, change):
        return ""  # of a move, the half that stays has it
    try:
        if workspace.files.read(change.path).digest == change.before:
            return ""
    except NoteNotFound:
        pass
    try:
        before = workspace.files.records.blobs.get(change.before)
    except Unreadable:
        return ""
    signature = sign(workspace, actor, "undo", undoes=change.id)
    why = f"the version before {change.id}, which could not be taken back"
    return workspace.files.keep_aside(change.path, before, signature, why)
