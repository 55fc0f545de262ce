"""`undo`: take back one change; what others wrote since then stays."""

from __future__ import annotations

from vademecum.core.changes import Change, Effect, Signature, Written
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound, Refused
from vademecum.core.ids import digest_of
from vademecum.core.provenance import Actor
from vademecum.workspace.files import Content
from vademecum.workspace.merge import merge
from vademecum.workspace.workspace import Workspace
from vademecum.writing.signing import sign, written


def undo(workspace: Workspace, change: str, *, actor: Actor) -> tuple[Written, ...]:
    """Take back the change with that ledger id; return what was written to do so.

    An append loses exactly the bytes it added, if they still stand there. A replacement is taken
    out of what the file holds now by a three-way merge. A file that was made is removed if nobody
    changed it, one that was removed comes back. Taking back is a change itself and can be taken
    back. Raises LedgerEntryNotFound, ChangedMeanwhile, Refused (already taken back) and what any
    write raises.
    """
    workspace.files.recover()
    taken = workspace.ledger.change(change)
    _check_standing(workspace, taken)
    signature = sign(
        workspace, actor, "undo", f"take back {taken.verb} of {taken.path}", undoes=taken.id
    )
    by_effect = {
        Effect.APPEND: _undo_append,
        Effect.REPLACE: _undo_replace,
        Effect.CREATE: _undo_create,
        Effect.REMOVE: _undo_remove,
    }
    step = by_effect.get(taken.effect)
    if step is None:
        raise Refused(f"A change that did {taken.effect} cannot be taken back by this version.")
    return (step(workspace, taken, signature),)


def _check_standing(workspace: Workspace, change: Change) -> None:
    undoing = {
        later.undoes: later.id for later in workspace.ledger.changes(verb="undo") if later.undoes
    }
    by = undoing.get(change.id)
    if by is not None and by not in undoing:
        raise Refused(
            f"The change {change.id} was already taken back by {by}.",
            hint=f"To have it again, take that back: vade undo {by}.",
        )


def _undo_append(workspace: Workspace, change: Change, signature: Signature) -> Written:
    current = _current(workspace, change)
    added = current.data[change.offset : change.offset + change.length]
    start = change.offset
    if digest_of(added) != change.added:
        added = workspace.files.records.blobs.get(change.added)
        start = current.data.find(added)
        if start < 0 or current.data.count(added) > 1:
            raise _moved_on(change, "what it added does not stand there any more")
    data = current.data[:start] + current.data[start + len(added) :]
    return _put(workspace, current, data, change, signature)


def _undo_replace(workspace: Workspace, change: Change, signature: Signature) -> Written:
    current = _current(workspace, change)
    blobs = workspace.files.records.blobs
    before, after = blobs.get(change.before), blobs.get(change.after)
    data = merge(after, before, current.data)
    if data is None:
        raise _moved_on(change, "the same lines were changed again")
    return _put(workspace, current, data, change, signature)


def _undo_create(workspace: Workspace, change: Change, signature: Signature) -> Written:
    current = _current(workspace, change)
    if current.digest != change.after:
        raise _moved_on(change, "the file was changed")
    done = workspace.files.remove(current, signature)
    return Written(done.id, done.path, 0, 0, "")


def _undo_remove(workspace: Workspace, change: Change, signature: Signature) -> Written:
    data = workspace.files.records.blobs.get(change.before)
    done = workspace.files.create(change.path, data, signature)
    if done is None:
        raise _moved_on(change, "there is another file of that name")
    return written(done, b"", data)


def _current(workspace: Workspace, change: Change) -> Content:
    try:
        return workspace.files.read(change.path)
    except NoteNotFound:
        raise _moved_on(change, "the file was removed") from None


def _put(
    workspace: Workspace, current: Content, data: bytes, change: Change, signature: Signature
) -> Written:
    done = workspace.files.replace(current, data, signature)
    if done.change is None:
        raise _moved_on(change, "nothing of it is left")
    return written(done.change, current.data, done.data, done)


def _moved_on(change: Change, why: str) -> ChangedMeanwhile:
    return ChangedMeanwhile(
        f"The change {change.id} of {change.path} cannot be taken back: {why} since then.",
        hint=f"Take back what was written later first: vade history {change.path}.",
    )
