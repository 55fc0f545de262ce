"""A move in the ledger: what was made in one place and removed from another stands together."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound
from vademecum.workspace.workspace import Workspace

_OTHER = {Effect.CREATE: Effect.REMOVE, Effect.REMOVE: Effect.CREATE}


def other_half(workspace: Workspace, change: Change) -> Change | None:
    """Return the change that moved the same bytes with `change`; None where it was no move.

    A move is a file that was made and another that was removed, of the same bytes, by one call. The
    halves of one that was stopped and gone on with share the session and the name of the file.
    """
    wanted = _OTHER.get(change.effect)
    for found in _beside(workspace, change) if wanted else ():
        same = _moved(found) == _moved(change) and found.path != change.path
        if found.effect is wanted and found.verb == change.verb and same:
            return found
    return None


def check_whole(workspace: Workspace, change: Change) -> None:
    """Check that to take back half of a move leaves the bytes in one place.

    Raises ChangedMeanwhile: they were changed where they are now, or there is another file where
    they were.
    """
    other = other_half(workspace, change)
    if other is None:
        return
    there = _digest(workspace, other.path)
    if change.effect is Effect.REMOVE and there not in ("", other.after):
        raise ChangedMeanwhile(
            f"{change.path} cannot come back: it was changed since in {other.path}, where it went.",
            hint=f"Move {other.path} by hand, or take back what was written to it first.",
        )
    if change.effect is Effect.CREATE and there != change.after:
        what = f"{other.path} is another file now" if there else f"{other.path} is not there"
        raise ChangedMeanwhile(
            f"{change.path} stays: it came from {other.path}, and {what}.",
            hint="Merge the two by hand, or move the other away and repeat this.",
        )


def _beside(workspace: Workspace, change: Change) -> Iterator[Change]:
    if change.group:
        yield from workspace.ledger.changes(group=change.group)
    if change.session:
        name = change.path.rpartition("/")[2]
        for found in workspace.ledger.changes(session=change.session, actor=change.actor):
            if found.path.rpartition("/")[2] == name:
                yield found


def _moved(change: Change) -> str:
    return change.after or change.before


def _digest(workspace: Workspace, path: str) -> str:
    try:
        return workspace.files.read(path).digest
    except NoteNotFound:
        return ""
