"""`undo`: take back one change or one group; what others wrote since then stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.changes import Change, Effect, Signature, Written
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound, Refused
from vademecum.core.ids import digest_of, new_entry_id
from vademecum.core.notes import Role
from vademecum.core.provenance import Actor
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.workspace.files import Content
from vademecum.workspace.merge import merge
from vademecum.workspace.workspace import Workspace
from vademecum.writing.moves import check_whole, other_half
from vademecum.writing.scaffold import INIT
from vademecum.writing.signing import sign, written
from vademecum.writing.tombstones import FORGET, tombstone_path
from vademecum.writing.undo_maps import maps_in_step


def undo(workspace: Workspace, change: str, *, actor: Actor) -> tuple[Written, ...]:
    """Take back the change with that ledger id, or every change of the group with that id.

    An append loses exactly the bytes it added, if they still stand there. A replacement is taken
    out of what the file holds now by a three-way merge. A file that was made is removed if nobody
    changed it, else it loses the claims it was made with; one that was removed comes back. Of a
    group, maps are not taken back line by line: they are brought in step with what is then there;
    so they are where one note of a group is named, and the id of a map's change stands for all. The
    id of either half of a move stands for both, and neither goes back without the other.
    Taking back is a change itself and can be taken back. Raises LedgerEntryNotFound,
    ChangedMeanwhile, Refused (already taken back) and what any write raises.
    """
    workspace.files.recover()
    named = _named(workspace, change)
    _check_purged(workspace, named)
    standing = standing_of(workspace, named)
    is_map = {each.path: workspace.role_of(each.path) is Role.MAP for each in named}
    notes = [each for each in standing if not is_map[each.path]]
    together = new_entry_id(workspace.clock.now())
    if len(named) == 1 and workspace.role_of(named[0].path) is not Role.CONCEPT:
        return (take_back(workspace, named[0], actor),)
    if all(is_map.values()):
        return tuple(_without_notes(workspace, standing, change, actor, together))
    done = [take_back(workspace, each, actor, together) for each in reversed(notes)]
    # An undo that was broken off took back the notes and may not have come to the maps.
    paths = list(dict.fromkeys(each.path for each in notes or named))
    if not any(is_map.values()):
        # The lines of what is gone may have come with another call.
        paths = [path for path in paths if not workspace.files.exists(path)]
    # Whoever takes this back again needs the maps of the group as changes of their own.
    done += maps_in_step(workspace, paths, actor, together, standing if notes else ())
    if not done and len(named) == 1:
        _check_standing(workspace, named[0])
    if not done:
        raise _taken_back(change)
    return tuple(done)


def _without_notes(
    workspace: Workspace, maps: Sequence[Change], change: str, actor: Actor, group: str
) -> Iterator[Written]:
    """Take back a group of maps only, whose notes came with another one or by hand."""
    if not maps:
        raise _taken_back(change)
    for each in reversed(maps):
        yield take_back(workspace, each, actor, group)


def _taken_back(change: str) -> Refused:
    return Refused(f"Every change of {change} was already taken back.")


def _named(workspace: Workspace, id: str) -> tuple[Change, ...]:
    """Return the changes that an id stands for, with those of maps that only followed them."""
    if id and (group := tuple(workspace.ledger.changes(group=id))):
        return group
    one = workspace.ledger.change(id)
    if not one.group or one.verb == INIT:
        return (one,)
    group = tuple(workspace.ledger.changes(group=one.group))
    maps = tuple(each for each in group if workspace.role_of(each.path) is Role.MAP)
    return group if one in maps else (*_whole_move(workspace, one), *maps)


def _whole_move(workspace: Workspace, one: Change) -> tuple[Change, ...]:
    """Return a change with the other half of the move that it is of, in the order of writing."""
    other = other_half(workspace, one)
    if other is None:
        return (one,)
    return (other, one) if one.effect is Effect.REMOVE else (one, other)


def take_back(workspace: Workspace, taken: Change, actor: Actor, group: str = "") -> Written:
    """Take back one change as one of `group`; maps stay as they are. Raises what `undo` raises."""
    _check_standing(workspace, taken)
    check_whole(workspace, taken)
    what = f"take back {taken.verb} of {taken.path}"
    signature = sign(workspace, actor, "undo", what, undoes=taken.id, group=group)
    by_effect = {
        Effect.APPEND: _undo_append,
        Effect.REPLACE: _undo_replace,
        Effect.CREATE: _undo_create,
        Effect.REMOVE: _undo_remove,
    }
    step = by_effect.get(taken.effect)
    if step is None:
        raise Refused(f"{taken.id} changed no file: there is nothing to take back.")
    return step(workspace, taken, signature)


def standing_of(workspace: Workspace, group: Sequence[Change]) -> list[Change]:
    """Return the changes among those given that were not taken back, or stand again."""
    undoing = {
        later.undoes: later.id for later in workspace.ledger.changes(verb="undo") if later.undoes
    }
    return [each for each in group if each.id not in undoing or undoing[each.id] in undoing]


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


def _check_purged(workspace: Workspace, named: Sequence[Change]) -> None:
    """Refuse to take back a forgetting, or a part of it, whose old versions are gone for good."""
    blobs = workspace.files.records.blobs
    groups = dict.fromkeys(each.group for each in named if each.verb == FORGET and each.group)
    for stone in groups:
        for change in workspace.ledger.changes(group=stone):
            displaced = change.effect in (Effect.REPLACE, Effect.REMOVE)
            if displaced and change.before and not blobs.has(change.before):
                stones = tombstone_path(workspace.profile)
                raise Refused(
                    f"What was forgotten under {stone} was purged: no version of it is left.",
                    hint=f"To write it anew, take the lines with {stone} out of {stones} first.",
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
        return _without_its_claims(workspace, current, change, signature)
    done = workspace.files.remove(current, signature)
    return Written(done.id, done.path, 0, 0, "")


def _without_its_claims(
    workspace: Workspace, current: Content, change: Change, signature: Signature
) -> Written:
    """Take the claims a note was made with out of what others made of it since."""
    after = workspace.files.records.blobs.get(change.after)
    first = read_claims(change.path, decode(after).text)
    lines = after.splitlines(keepends=True)
    kept = [
        line
        for number, line in enumerate(lines, start=1)
        if not any(claim.span.first <= number <= claim.span.last for claim in first)
    ]
    data = merge(after, b"".join(kept), current.data) if first else None
    if data is None:
        raise _moved_on(change, "the file was changed")
    return _put(workspace, current, data, change, signature)


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
