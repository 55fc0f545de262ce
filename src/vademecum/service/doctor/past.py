"""What the ledger knows of each file, and where other programs changed it in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import Unreadable
from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import decode
from vademecum.service.doctor.survey import Survey
from vademecum.workspace.conflicts import VERB as CONFLICT


@dataclass(frozen=True, slots=True)
class Step:
    """One step in the life of a file: its text before and after, and whether it was ours."""

    before: str
    after: str
    ours: bool


class Past:
    """The ledger by file, read once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._blobs = survey.workspace.files.records.blobs

    @cached_property
    def changes(self) -> Mapping[str, list[Change]]:
        """The changes of each file, oldest first.

        A file in a folder that is a workspace of its own since is not of this memory any more,
        whatever became of it.
        """
        found: dict[str, list[Change]] = {}
        for change in self.survey.workspace.ledger.changes():
            if change.verb != CONFLICT and change.effect is not Effect.ASK:
                found.setdefault(change.path, []).append(change)
        bounds = self.survey.workspace.bounds
        if bounds is None:
            return found
        return {path: changes for path, changes in found.items() if bounds.holds(path)}

    @cached_property
    def undone(self) -> frozenset[str]:
        """The changes that were taken back and stay so."""
        undoing = {
            change.undoes: change.id
            for changes in self.changes.values()
            for change in changes
            if change.undoes
        }
        return frozenset(id for id, by in undoing.items() if by not in undoing)

    def is_external(self, path: str) -> bool:
        """Whether the file is not as the last write here left it."""
        note = self.survey.notes.get(path)
        return note is not None and self.changes[path][-1].after != note.digest

    def has_gaps(self, path: str) -> bool:
        """Whether another program ever changed the file between two writes, or since the last."""
        changes = self.changes[path]
        gaps = any(
            later.before != earlier.after
            for earlier, later in zip(changes, changes[1:], strict=False)
        )
        return gaps or self.is_external(path)

    def steps(self, path: str) -> Iterator[Step]:
        """Yield what became of the file, oldest first; versions that are not kept are left out."""
        known: str | None = None
        for change in self.changes[path]:
            before, after = self.text(change.before), self.text(change.after)
            if known is not None and before is not None and before != known:
                yield Step(known, before, ours=False)
            if after is not None:
                yield Step(before or "", after, ours=True)
            known = after if after is not None else before
        note = self.survey.notes.get(path)
        if known is not None and note is not None and note.text != known:
            yield Step(known, note.text, ours=False)

    def text(self, digest: str) -> str | None:
        """Return a version that is kept, None for one that is not; of no file, nothing."""
        if not digest:
            return ""
        data = self.data(digest)
        return None if data is None else decode(data).text

    def data(self, digest: str) -> bytes | None:
        """Return the bytes of a version or addition that is kept, None for one that is not."""
        try:
            return self._blobs.get(digest)
        except Unreadable:  # purged on purpose, or the state was cleared
            return None

    def appended(self, path: str) -> Iterator[bytes]:
        """Yield what was added to a log and has to be there still, in order.

        What was taken back, and what a later write of ours took out, is not.
        """
        changes = self.changes[path]
        taken = self._taken_out(changes)
        for number, change in enumerate(changes):
            if change.effect is not Effect.APPEND or change.id in self.undone:
                continue
            added = self.data(change.added)
            if added is None:
                continue
            lines = decode(added).text.strip().splitlines()
            by = {later for line in lines for later in taken.get(line, ()) if later > number}
            if not any(self._took_out(added, changes[later]) for later in by):
                yield added

    def _taken_out(self, changes: Sequence[Change]) -> Mapping[str, list[int]]:
        """Return the numbers of the writes of ours that took a line out of a log, by the line.

        Versions of a long log are long: each is read once, however many entries it has.
        """
        found: dict[str, list[int]] = {}
        for number, change in enumerate(changes):
            if change.effect is Effect.APPEND:
                continue
            before, after = self.text(change.before), self.text(change.after)
            if before and after:
                for line in set(before.splitlines()).difference(after.splitlines()):
                    found.setdefault(line, []).append(number)
        return found

    def _took_out(self, added: bytes, change: Change) -> bool:
        text = decode(added).text.strip()
        before, after = self.text(change.before) or "", self.text(change.after) or text
        return text in before and text not in after
