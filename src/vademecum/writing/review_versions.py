"""Kept versions of files: folded into the file they are of, or put away."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.changes import Signature
from vademecum.core.errors import BadInput
from vademecum.core.review import Ruled, Ruling
from vademecum.markdown.lines import split
from vademecum.markdown.merge import merge
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.review import original_of
from vademecum.writing.review_targets import Call
from vademecum.writing.tombstones import tombstones, without_forgotten
from vademecum.writing.turns import maps_turn

_MARKERS = ("<" * 7, "=" * 7, ">" * 7)
"""How the lines begin that a merge puts around prose of both sides."""


def fold_version(call: Call, path: str, sign: Callable[[str], Signature]) -> Ruled:
    """Fold the version at `path` into the file it is of, then put it away; nothing is lost.

    Claims are merged by id and words, entries of logs by time; of prose both sides stay. What was
    forgotten does not come back with it. `sign`
    makes the signature of a change of the group it is given. Raises BadInput where the file cannot
    be told, and what any write raises.
    """
    original = original_of(call.workspace, path)
    if not original:
        raise BadInput(
            f"The file of which {path} is a version is not there.",
            hint="Rename it to what it should be called, or drop it.",
        )
    draft = Draft(call.workspace)
    ours = draft.text(original) or ""
    stones = frozenset(tombstones(call.workspace))
    theirs, _ = without_forgotten(path, draft.text(path) or "", stones)
    role = call.workspace.role_of(original)
    merged = merge("", ours, theirs, original, day=call.today, role=role)
    had = set(split(ours + theirs))
    lines = [line for line in split(merged.text) if line in had or not line.startswith(_MARKERS)]
    draft.put(original, "".join(lines))
    group = draft.write(sign) or sign("").id
    put_away(call, path, sign(group))
    return Ruled(path, Ruling.MERGE, f"It is folded into {original}.", change=group)


def drop_note(call: Call, path: str, sign: Callable[[str], Signature]) -> Ruled:
    """Remove the note at `path` and its line in the map; `undo` brings both back."""
    with maps_turn(call.workspace):
        group = sign("").id
        call.workspace.files.remove(call.workspace.files.read(path), sign(group))
        draft = Draft(call.workspace)
        keep_in_step(draft, (), gone=(path,))
        draft.write(sign, group)
    return Ruled(path, Ruling.DROP, f"{path} is removed; undo brings it back.", change=group)


def put_away(call: Call, path: str, signature: Signature) -> Ruled:
    """Remove the version at `path`; its bytes stay in the blob store, and `undo` brings it back."""
    change = call.workspace.files.remove(call.workspace.files.read(path), signature)
    told = "It is put away; undo brings it back."
    return Ruled(path, Ruling.DROP, told, change=change.group or change.id)
