"""Maps after an undo: in step with what is then there, and as bare as they were before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from vademecum.core.changes import Change, Signature, Written
from vademecum.core.errors import ChangedMeanwhile
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode
from vademecum.markdown.maps import MapEntry, read_map
from vademecum.workspace.workspace import Workspace
from vademecum.writing.bare_maps import drop_bare_maps
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.signing import sign, written
from vademecum.writing.turns import maps_turn

_ATTEMPTS = 5


def maps_in_step(
    workspace: Workspace, paths: list[str], actor: Actor, group: str, taken: Sequence[Change]
) -> list[Written]:
    """Let the maps say what became of the notes at `paths`; return what that wrote.

    A map that was made along with a note, and in which nothing is without it, goes too. One that
    nobody else wrote to since the changes `taken` loses the headings and markers that came along.
    """
    own = {each.id for each in taken}
    touched = dict.fromkeys(each.path for each in taken)
    maps = [path for path in touched if workspace.role_of(path) is Role.MAP]
    gone: list[str] = []
    done: list[Written] = []

    def in_step(draft: Draft) -> None:
        there, gone[:] = _there_and_gone(draft, paths)
        keep_in_step(draft, there, gone)

    def as_before(draft: Draft) -> None:
        mine = own | {each.id for each in workspace.ledger.changes(group=group)}
        for path in maps:
            text = _text_before(draft, path, mine)
            if text is not None and _lines_in(draft.before(path)) == _lines_in(text):
                draft.put(path, text)

    def signed(summary: str, undoes: str) -> Signature:
        return sign(workspace, actor, "undo", summary, undoes=undoes, group=group)

    with maps_turn(workspace):
        done += _written(workspace, in_step, actor, group)
        done += drop_bare_maps(workspace, gone, signed)
        if maps:
            done += _written(workspace, as_before, actor, group)
    return done


def _written(
    workspace: Workspace, edit: Callable[[Draft], None], actor: Actor, group: str
) -> list[Written]:
    """Write the maps that `edit` changes, anew where others wrote; return what that wrote."""
    attempt = 1
    while True:
        draft = Draft(workspace)
        edit(draft)
        before = {path: draft.before(path) for path in draft.changed()}
        try:
            draft.write(
                lambda _: sign(workspace, actor, "undo", "maps in step", group=group), aside=False
            )
            break
        except ChangedMeanwhile:
            attempt += 1
            if attempt > _ATTEMPTS:
                raise
    changes = {each.path: each for each in workspace.ledger.changes(group=group)}
    return [  # one that somebody else had changed to just that has no change of ours
        written(changes[path], text.encode(), (draft.text(path) or "").encode())
        for path, text in before.items()
        if path in changes
    ]


def _text_before(draft: Draft, path: str, own: Collection[str]) -> str | None:
    """Return what a map said before the first change of `own`; None if others wrote to it since."""
    workspace = draft.workspace
    changes = list(workspace.ledger.changes(path=path))
    first = next((number for number, each in enumerate(changes) if each.id in own), len(changes))
    since = changes[first:]
    # A merge of what others saved begins with what they saved.
    alone = all(one.after == other.before for one, other in pairwise(since))
    if not since or not alone or any(each.id not in own for each in since):
        return None
    before, blobs = since[0].before, workspace.files.records.blobs
    untouched = digest_of(draft.before(path).encode()) == since[-1].after
    return decode(blobs.get(before)).text if untouched and before and blobs.has(before) else None


def _lines_in(text: str) -> list[MapEntry]:
    return [replace(entry, line=0, group="", generated=False) for entry in read_map(text)]


def _there_and_gone(draft: Draft, paths: list[str]) -> tuple[list[str], list[str]]:
    there = [path for path in paths if draft.text(path) is not None]
    return there, [path for path in paths if path not in there]
