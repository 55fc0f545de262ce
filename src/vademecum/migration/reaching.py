"""Maps after a migration: every note that was made is reached from the top."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from vademecum.core.errors import NoteNotFound, OverBudget
from vademecum.core.roles import Role
from vademecum.core.search import Degradation
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.migration.writer import Writer
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.turns import maps_turn

_BATCH = 100


class _Heads(Draft):
    """A draft that holds of notes only what a map tells of them: the first lines.

    Where these have no claim that is live, one further down may be, and all are read.
    """

    def __init__(
        self, workspace: Workspace, notes: Iterable[str], heads: Mapping[str, str]
    ) -> None:
        super().__init__(workspace)
        self._notes: dict[str, str | None] = dict.fromkeys(notes, "")
        self._heads = heads

    def text(self, path: str) -> str | None:
        """Return the text of a map, or the first lines of a note."""
        if path not in self._notes:
            return super().text(path)
        if self._notes[path] == "":
            self._notes[path] = self._told(path)
        return self._notes[path]

    def _told(self, path: str) -> str | None:
        head = self._heads.get(path, "")
        if any(claim.live for claim in read_claims(path, head)):
            return head
        try:
            return decode(self.workspace.files.read(path).data).text
        except NoteNotFound:
            return None


def reach_all(
    workspace: Workspace,
    writer: Writer,
    progress: Callable[[str, int, int], None],
    gone: tuple[str, ...] = (),
) -> tuple[Degradation, ...]:
    """Bring the maps in step with the notes that `writer` made, folder by folder.

    Notes that are `gone` leave their maps instead. Maps that are in step already are not written.
    A map that cannot take a line, because what is written by hand fills it, is told of.
    """
    paths = sorted(gone or writer.created, key=lambda path: path.rpartition("/"))
    notes = [path for path in paths if workspace.role_of(path) is Role.CONCEPT]
    full: list[Degradation] = []
    done = 0
    for _, folder in groupby(notes, key=lambda path: path.rpartition("/")[0]):
        held = list(folder)
        for start in range(0, len(held), _BATCH):
            batch = held[start : start + _BATCH]
            progress("mapping", done, len(notes))
            done += len(batch)
            try:
                with maps_turn(workspace):
                    draft = _Heads(workspace, batch, writer.heads)
                    keep_in_step(draft, () if gone else batch, batch if gone else ())
                    draft.write(lambda _: writer.signature("maps in step"))
            except OverBudget as error:
                full.append(Degradation("maps", str(error), error.hint))
    return tuple(dict.fromkeys(full))
