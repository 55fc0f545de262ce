"""Maps after an undo: in step with what is then there, and as bare as they were before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.core.changes import Change, Signature, Written
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


def maps_in_step(
    workspace: Workspace, paths: list[str], actor: Actor, group: str, taken: Sequence[Change]
) -> list[Written]:
    """Let the maps say what became of the notes at `paths`; return what that wrote.

    A map that was made along with a note, and in which nothing is without it, goes too. One that
    nobody else wrote to since the changes `taken` loses the headings and markers that came along.
    """
    bare = _texts_before(workspace, taken)
    draft = Draft(workspace)
    there, gone = _there_and_gone(draft, paths)
    keep_in_step(draft, there, gone)
    done = _written(draft, actor, group)

    def signed(summary: str, undoes: str) -> Signature:
        return sign(workspace, actor, "undo", summary, undoes=undoes, group=group)

    done += drop_bare_maps(workspace, gone, signed)
    draft = Draft(workspace)
    for path, text in bare.items():
        now = draft.text(path)
        if now is not None and _lines_in(now) == _lines_in(text):
            draft.put(path, text)
    return [*done, *_written(draft, actor, group)]


def _written(draft: Draft, actor: Actor, group: str) -> list[Written]:
    """Write the maps of a draft; return what that wrote."""
    workspace = draft.workspace
    before = {path: draft.before(path) for path in draft.changed()}
    draft.write(lambda _: sign(workspace, actor, "undo", "maps in step", group=group))
    changes = {each.path: each for each in workspace.ledger.changes(group=group)}
    return [
        written(changes[path], text.encode(), (draft.text(path) or "").encode())
        for path, text in before.items()
    ]


def _texts_before(workspace: Workspace, taken: Sequence[Change]) -> dict[str, str]:
    """Return what maps said before the changes `taken`, if nobody else wrote to them since."""
    own = {each.id for each in taken}
    draft, blobs = Draft(workspace), workspace.files.records.blobs
    texts: dict[str, str] = {}
    for path in dict.fromkeys(each.path for each in taken):
        if workspace.role_of(path) is not Role.MAP:
            continue
        changes = list(workspace.ledger.changes(path=path))
        since = changes[next(n for n, each in enumerate(changes) if each.id in own) :]
        before = since[0].before
        alone = all(each.id in own for each in since)
        untouched = digest_of(draft.before(path).encode()) == since[-1].after
        if alone and untouched and before and blobs.has(before):
            texts[path] = decode(blobs.get(before)).text
    return texts


def _lines_in(text: str) -> list[MapEntry]:
    return [replace(entry, line=0, group="", generated=False) for entry in read_map(text)]


def _there_and_gone(draft: Draft, paths: list[str]) -> tuple[list[str], list[str]]:
    there = [path for path in paths if draft.text(path) is not None]
    return there, [path for path in paths if path not in there]
