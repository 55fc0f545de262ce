"""Maps that nothing is in any more: those that were made along with a note go with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vademecum.core.changes import Effect, Signature, Written
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound, ReadOnly
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.maps import bare_map, leave_map, map_path_of
from vademecum.writing.scaffold import INIT
from vademecum.writing.signing import written

Sign = Callable[[str, str], Signature]
"""Makes a signature from a summary and the id of the change that is taken back."""


def drop_bare_maps(workspace: Workspace, gone: Iterable[str], sign: Sign) -> Iterator[Written]:
    """Remove the maps that notes which are gone were made with, and their lines in maps above.

    Only one that vade made and that says what it said then: a word of anybody else keeps it. One
    that is written to meanwhile stays.
    """
    top = map_path_of(workspace, "")
    if workspace.profile.listings:
        return
    for path in dict.fromkeys(map_path_of(workspace, _folder(note)) for note in gone):
        # Core memory may be the top map, and stays.
        while path != workspace.profile.core_path:
            removed = _removed(workspace, path, sign)
            if removed is None:
                break
            yield removed
            if path == top:
                break
            draft = Draft(workspace)
            path = leave_map(draft, path)
            yield from _stepped(draft, sign)


def _removed(workspace: Workspace, path: str, sign: Sign) -> Written | None:
    made = [one for one in workspace.ledger.changes(path=path) if one.effect is Effect.CREATE]
    if not made or made[-1].verb == INIT:
        return None
    try:
        current = workspace.files.read(path)
        if current.data != bare_map(_folder(path)).encode():
            return None
        done = workspace.files.remove(current, sign(f"nothing is in {path}", made[-1].id))
    except (NoteNotFound, ChangedMeanwhile, ReadOnly):
        return None
    return Written(done.id, done.path, 0, 0, "")


def _stepped(draft: Draft, sign: Sign) -> Iterator[Written]:
    before = {path: draft.before(path) for path in draft.changed()}
    signed: list[Signature] = []

    def signing(_: str) -> Signature:
        signed.append(sign("maps in step", ""))
        return signed[-1]

    draft.write(signing)
    for (path, text), signature in zip(before.items(), signed, strict=True):
        change = next(draft.workspace.ledger.changes(id=signature.id), None)
        if change is not None:  # else somebody else had changed it to just that
            yield written(change, text.encode(), (draft.text(path) or "").encode())


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
