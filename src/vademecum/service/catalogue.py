"""Every note read from the files themselves, for what no index can say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from vademecum.core.errors import NoteNotFound, VademecumError
from vademecum.markdown.lines import decode
from vademecum.workspace.paths import checked
from vademecum.workspace.workspace import Workspace


def texts(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield path and text of every note on disk, by path, but for those that cannot be read."""
    for path in sorted(workspace.scan().files):
        try:
            yield path, decode(workspace.files.read(path).data).text
        except VademecumError:
            continue


def titles(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield path and title of every note that can be read, and what else each is called."""
    from vademecum.markdown.names import called  # noqa: PLC0415  texts alone go without
    from vademecum.markdown.parse import parse_note  # noqa: PLC0415  texts alone go without

    for path, text in texts(workspace):
        note = parse_note(path, text, workspace.role_of(path))
        yield from ((path, name) for name in called(note))


def places(
    workspace: Workspace, known: Callable[[], Collection[str]], named: Sequence[str]
) -> tuple[str, ...] | None:
    """Return files and folders as notes are named, None where they are the whole workspace.

    `known` gives the notes that the index holds, for what is gone by now. Raises InvalidPath, and
    NoteNotFound for a place with no note at or below it.
    """
    bare = [name.rstrip("/") or name for name in named]
    if not named or "." in bare:
        return None
    found = tuple(map(checked, bare))
    notes = workspace.scan(found).files
    for place in found:
        if not (_holds(place, notes) or _holds(place, known())):
            raise NoteNotFound(
                f"There is no note at or below {place}.", hint="List what there is: vade status."
            )
    return found


def _holds(place: str, notes: Collection[str]) -> bool:
    return place in notes or any(note.startswith(f"{place}/") for note in notes)
