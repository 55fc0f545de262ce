"""`verify`: read what was written again, and look for the words of every line of the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from vademecum.core.changes import Effect
from vademecum.core.errors import NoteNotFound
from vademecum.core.ids import digest_of
from vademecum.core.migration import Account, Fate, FilePlan, MigrationPlan, Treatment
from vademecum.core.notes import Span
from vademecum.markdown.lines import split
from vademecum.migration.bodies import body_of, readable
from vademecum.migration.shelf import Case
from vademecum.migration.staging import staged_tree
from vademecum.migration.whole import LARGEST, parts_of
from vademecum.migration.writer import written_by
from vademecum.workspace.workspace import Workspace

_WORD = re.compile(r"[^\W_]+")
_LENGTH_KEPT = (Fate.NOTE, Fate.INSTRUCTION, Fate.LOG, Fate.ARCHIVE, Fate.QUARANTINE)
_RENAMED = re.compile(
    r"\]\([^()\s]*\)|\[stated\]|~~|@\w*(?:\[[^\])]*[\])]|:\d{4}-\d{2}-\d{2})", re.IGNORECASE
)


def unfound(
    workspace: Workspace, case: Case, plan: MigrationPlan, progress: Callable[[str, int, int], None]
) -> Iterator[Span]:
    """Yield the lines of the source whose words are not where the accounts say they are.

    Files that somebody changed since they were written are not looked at.
    """
    reading = _Written(workspace, plan)
    files = {file.path: number for number, file in enumerate(plan.files)}
    sources: _Source | None = None
    for account in case.accounts():
        number = files.get(account.source.path, -1)
        if number < 0 or account.to is None or account.part or account.fate not in _LENGTH_KEPT:
            continue
        if sources is None or sources.number != number:
            progress("verifying", number, len(files))
            sources = _Source(case, plan.files[number], number)
        if not _stands(account, sources, reading):
            yield account.source


class _Source:
    """The lines of one original, by their numbers; of a large one, one part at a time."""

    def __init__(self, case: Case, file: FilePlan, number: int) -> None:
        self.number = number
        self._first, self._text = 1, ""
        self._lines: list[str] = []
        self._safe: dict[int, str] | None = None
        self._parts = _parts(case, file, number)

    def line(self, number: int) -> str | None:
        """Return a line; None for one that is not there."""
        while not self._first <= number < self._first + len(self._lines):
            part = next(self._parts, None)
            if part is None:
                return None
            self._first, self._text = part
            self._lines, self._safe = split(self._text), None
        return self._lines[number - self._first]

    def safe_line(self, number: int) -> str:
        """Return the same line without its credentials."""
        if self._safe is None:
            body = body_of(self._text, self._first)
            self._safe = dict(zip(body.numbers, body.lines, strict=True))
        return self._safe.get(number, "")


def _parts(case: Case, file: FilePlan, number: int) -> Iterator[tuple[int, str]]:
    """Yield the text of an original, of a large one part by part, with the number of its line.

    No method: a generator that holds its object would keep every original alive for long.
    """
    tree, name = staged_tree(case), f"{number:06d}"
    if file.treatment is Treatment.WHOLE and file.size > LARGEST:
        for first, data in parts_of(tree.stream(name)):
            yield first, readable(data).text
    else:
        yield 1, readable(tree.read(name)).text


class _Written:
    """Lines of the files that the migration wrote."""

    def __init__(self, workspace: Workspace, plan: MigrationPlan) -> None:
        self._workspace = workspace
        self._after = {change.path: change.after for change in written_by(workspace, plan.id)}
        self.lines = lru_cache(maxsize=4)(self._read)

    def _read(self, path: str) -> tuple[str, ...] | None:
        """Return the lines of a file; None where others changed it since, or removed it."""
        try:
            data = self._workspace.files.read(path).data
        except NoteNotFound:
            last = self._workspace.ledger.last(path)
            return None if last is not None and last.effect is Effect.REMOVE else ()
        if path in self._after and digest_of(data) != self._after[path]:
            return None
        return tuple(split(readable(data).text))


def _stands(account: Account, source: _Source, reading: _Written) -> bool:
    to = account.to
    lines = reading.lines(to.path) if to is not None else None
    if to is None or lines is None:
        return True
    if to.last > len(lines):
        return False
    for offset in range(account.source.last - account.source.first + 1):
        number, written = account.source.first + offset, lines[to.first - 1 + offset]
        said = source.line(number)
        if said is None:
            return False
        if not (_says(written, said) or _says(written, source.safe_line(number))):
            return False
    return True


def _says(written: str, said: str) -> bool:
    """Whether a line says all that a line of the source did, in any markup."""
    if written == said or said.rstrip() in written:
        return True
    rest = _WORD.findall(written.casefold())
    for word in _WORD.findall(_RENAMED.sub(" ", said).casefold()):
        if word not in rest:
            return False
        rest.remove(word)
    return True
