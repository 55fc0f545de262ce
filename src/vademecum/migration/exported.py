"""Writing what comes of an export: notes of claims, transcripts out of the index, log entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Protocol

from vademecum.core.migration import Account, Fate, FilePlan, NewNote
from vademecum.core.notes import Span
from vademecum.markdown.kinds import Kind
from vademecum.markdown.lines import split
from vademecum.migration.accounting import FileAccounts
from vademecum.migration.bodies import Body, encoded
from vademecum.migration.composing import Text
from vademecum.migration.recording import Left, Line, Talk, made_of, stated_title
from vademecum.migration.records import Record
from vademecum.migration.writer import Writer
from vademecum.workspace.workspace import Workspace
from vademecum.writing.notes import new_note

_OF_THE_EXPORT = "brackets of the export"


class Run(Protocol):
    """What writing an export needs of the run that it is a part of."""

    workspace: Workspace
    writer: Writer
    day: date
    claims: int

    def quarantine(
        self,
        file: FilePlan,
        apart: Iterable[tuple[str, list[int]]],
        accounts: FileAccounts,
        body: Body,
    ) -> None:
        """Keep texts apart."""


def write_export(
    run: Run, file: FilePlan, stream: Callable[[], Iterable[bytes]], accounts: FileAccounts
) -> None:
    """Write what every record of the export at `stream` becomes, and account for its lines.

    Transcripts are written one by one; claims and log entries are gathered first.
    """
    notes = {note.path: _begun(run, note) for note in file.notes}
    stated = {note.title: note.path for note in file.notes}
    days: dict[date, list[tuple[Talk, str]]] = {}
    apart: list[tuple[str, list[int]]] = []
    accounts.lines = _count(stream())
    for decision, made in made_of(stream(), file, run.workspace.zone, run.day):
        if isinstance(made, Line):
            _add(accounts, made.record, Fate.NOTE, notes[decision.to], made.text, decision.to)
        elif isinstance(made, Talk):
            _transcript(run, made, accounts)
            days.setdefault(made.day, []).append((made, made.entry))
            for kind, line in made.stated:
                path = stated.get(stated_title(kind, file), "")
                if path:
                    _add(accounts, made.record, Fate.NOTE, notes[path], line, path)
        else:
            _left(made, accounts, apart)
    for day, talks in sorted(days.items()):
        _log(run, file, day, talks, accounts)
    for path, text in notes.items():
        run.claims += text.claims
        _write(run, path, text, accounts)
    run.writer.flush()
    run.quarantine(file, apart, accounts, Body([], []))
    _fill(accounts)


def _begun(run: Run, note: NewNote) -> Text:
    profile = run.workspace.profile.name
    head = new_note(Kind(note.type), note.title, note.description, run.day, profile=profile)
    text = Text()
    for line in split(head):
        text.add(line)
    return text


def _add(
    accounts: FileAccounts, record: Record, fate: Fate, text: Text, line: str, path: str
) -> None:
    text.add(line)
    there = len(text.lines)
    _account(accounts, record, fate, Span(path, there, there))


def _transcript(run: Run, talk: Talk, accounts: FileAccounts) -> None:
    lines = talk.transcript.count("\n")

    def there(actual: str) -> None:
        _account(accounts, talk.record, Fate.ARCHIVE, Span(actual, 1, max(lines, 1)))

    run.writer.create(talk.path, encoded(talk.transcript), there)


def _log(
    run: Run,
    file: FilePlan,
    day: date,
    talks: list[tuple[Talk, str]],
    accounts: FileAccounts,
) -> None:
    text = Text()
    starts = []
    for talk, entry in talks:
        starts.append((talk, len(text.lines)))
        for line in split(entry):
            text.add(line)
    path = run.workspace.profile.log_path(day)
    before = run.writer.append(path, text, file.path)
    for talk, start in starts:
        there = before + start + 2  # below the empty line that an entry begins with
        _account(accounts, talk.record, Fate.LOG, Span(path, there, there))


def _left(made: Left, accounts: FileAccounts, apart: list[tuple[str, list[int]]]) -> None:
    decision = made.decision
    if decision.fate is Fate.QUARANTINE:
        apart.append((" ".join(made.text.split()), [made.record.first]))
        _account(accounts, made.record, decision.fate, Span(decision.to, 1, 1))
    elif decision.fate is Fate.DUPLICATE and decision.to:
        line = int(decision.why)
        to = Span(decision.to, line, line)
        _account(accounts, made.record, decision.fate, to, "the workspace says it already")
    else:
        _account(accounts, made.record, decision.fate, None, decision.why)


def _account(
    accounts: FileAccounts, record: Record, fate: Fate, to: Span | None, why: str = ""
) -> None:
    source = Span(accounts.path, record.first, record.last)
    accounts.rows.append(Account(source, fate, to, why, record.pointer or "/"))


def _write(run: Run, path: str, text: Text, accounts: FileAccounts) -> None:
    def there(actual: str) -> None:
        accounts.elsewhere(path, actual)

    run.writer.create(path, encoded("".join(text.lines)), there)


def _fill(accounts: FileAccounts) -> None:
    for first, last in accounts.missing():
        accounts.add(first, last, Fate.GENERATED, None, _OF_THE_EXPORT)


def _count(stream: Iterable[bytes]) -> int:
    lines, last = 0, b"\n"
    for part in stream:
        lines += part.count(b"\n")
        last = part[-1:]
    return lines + (last != b"\n")
