"""The log of one day, read: each sentence, what it states, where it stands, whose word it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from vademecum.core.entries import Entry
from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.compare import normalise
from vademecum.markdown.entries import read_entries
from vademecum.markdown.gathered import is_gathered
from vademecum.markdown.lines import decode, split
from vademecum.markdown.outline import ITEM, Kind, classify
from vademecum.markdown.sentences import LONGEST_SENTENCE, States, parts_of, states, undated
from vademecum.workspace.workspace import Workspace
from vademecum.writing.evidence import link_of, prove
from vademecum.writing.speakers import Speaker, speaker_of


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an entry, without the name of who speaks in it."""

    text: str
    states: States
    span: Span
    """The lines that hold it."""
    entry: int
    """Which entry of the day, from 0."""
    said: date | None = None
    """When it was said, where that was before the day of the log."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A statement that is evidence, and what it proves at most."""

    statement: Statement
    tag: Tag
    untrusted: str = ""
    """Why nothing may rest on it; empty where something may."""


@dataclass(frozen=True, slots=True)
class DayLog:
    """All entries of one day, of however many files, and their statements in order."""

    day: date
    entries: tuple[Entry, ...]
    links: tuple[str, ...]
    """Of each entry the target of a wikilink to it."""
    statements: tuple[Statement, ...]


_BOX = later(r"\[[ xX]\]\s+")
_TIME = later(r"\d{1,2}:\d{2}\b\s*(?:[—–:-]\s*)?")
_SPEAKER_END = later(r"[:：](?!//)\s*")
_END = later(r"[.!?。！？:：;；][\"'”」』)*_]*\s*\Z")
_SPOKEN = (Kind.ITEM, Kind.TEXT, Kind.QUOTE)
_TAG = later(r"\[(?:stated|observed|inferred|suggested)\]\s*", re.IGNORECASE)
_LONGEST_NAME = 60


def reflection_path(workspace: Workspace, day: date) -> str:
    """Return where the reflection on a day is, whether or not it is there.

    Beside the phases of openclaw's own consolidation it has a folder of its own.
    """
    folder = workspace.profile.reflection_folder
    if folder.rpartition("/")[2] == "dreaming":
        folder += "/reflection"
    return f"{folder}/{day.isoformat()}.md"


def log_files(workspace: Workspace, day: date) -> tuple[str, ...]:
    """Return the paths of the logs of a day, in order."""
    profile = workspace.profile
    return tuple(path for path in sorted(workspace.scan().files) if profile.day_of(path) == day)


def read_day(workspace: Workspace, day: date) -> DayLog:
    """Return what the logs of `day` hold; a file that cannot be read holds nothing.

    What was gathered from other agents is theirs to reflect on, and is not among it.
    """
    entries: list[Entry] = []
    links: list[str] = []
    statements: list[Statement] = []
    for path in log_files(workspace, day):
        try:
            text = decode(workspace.files.read(path).data).text
        except VademecumError:
            continue
        lines = split(text)
        kinds = classify(lines)
        for entry in read_entries(path, text, day):
            if is_gathered(entry.body):
                continue
            if entry.day == day and (entry.title or entry.body.strip()):
                statements += _statements(entry, len(entries), lines, kinds)
                entries.append(entry)
                links.append(link_of(entry, lines))
    return DayLog(day, tuple(entries), tuple(links), tuple(statements))


def without(log: DayLog, links: Sequence[str]) -> DayLog:
    """Return the log without the entries that `links` lead to, one for each time it is named."""
    known = Counter(links)
    kept = []
    for ordinal, link in enumerate(log.links):
        if known[link] > 0:
            known[link] -= 1
        else:
            kept.append(ordinal)
    return _only(log, kept)


def followed(log: DayLog, now: DayLog) -> tuple[DayLog, dict[Statement, Statement]]:
    """Return what of `log` the same day says `now` in the same words, and each statement of it.

    An entry counts as a whole: one to which something was added, or from which something went, is
    another. The statements lead from where they stood to where they stand.
    """
    free: dict[tuple[str, ...], list[int]] = {}
    for ordinal, words in enumerate(_words(now)):
        free.setdefault(words, []).append(ordinal)
    pairs = {
        ordinal: free[words].pop(0) for ordinal, words in enumerate(_words(log)) if free.get(words)
    }
    places: dict[Statement, Statement] = {}
    there = _only(now, sorted(pairs.values()))
    numbers = {ordinal: place for place, ordinal in enumerate(sorted(pairs.values()))}
    for old, new in pairs.items():
        stood = (one for one in log.statements if one.entry == old)
        stands = (one for one in there.statements if one.entry == numbers[new])
        places.update(zip(stood, stands, strict=True))
    return there, places


def _words(log: DayLog) -> list[tuple[str, ...]]:
    """Return of each entry its link and all that it says."""
    words = [[link] for link in log.links]
    for statement in log.statements:
        words[statement.entry].append(statement.text)
    return [tuple(each) for each in words]


def _only(log: DayLog, kept: Sequence[int]) -> DayLog:
    places = {ordinal: place for place, ordinal in enumerate(kept)}
    return DayLog(
        log.day,
        tuple(log.entries[ordinal] for ordinal in kept),
        tuple(log.links[ordinal] for ordinal in kept),
        tuple(
            replace(statement, entry=places[statement.entry])
            for statement in log.statements
            if statement.entry in places
        ),
    )


def proven(workspace: Workspace, statement: Statement, person: str) -> Proven | None:
    """Return what a statement proves, None where it is none: memory repeating itself, too short.

    `person` is the name under which the person at this machine writes.
    """
    try:
        proof = prove(workspace, statement.span, statement.text, person=person)
    except VademecumError:
        return None
    return Proven(statement, proof.ceiling, proof.untrusted)


def _statements(
    entry: Entry, ordinal: int, lines: Sequence[str], kinds: Sequence[Kind]
) -> Iterator[Statement]:
    path = entry.span.path
    told = False
    for first, stop in _units(entry, lines, kinds):
        raw = " ".join(lines[number].strip().lstrip("> ") for number in range(first, stop))
        bare, on = undated(unmarked(raw))
        if first == entry.span.first - 1 and _is_label(bare, entry):
            continue
        for said in parts_of(bare):
            if len(said) <= LONGEST_SENTENCE and any(map(str.isalnum, said)):
                told = True
                yield Statement(said, states(said), Span(path, first + 1, stop), ordinal, on)
    if not told and entry.title and len(entry.title) <= LONGEST_SENTENCE:
        span = Span(path, entry.span.first, entry.span.first)
        yield Statement(entry.title, states(entry.title), span, ordinal)


def _is_label(bare: str, entry: Entry) -> bool:
    """Whether the first line of an entry only names what its body is about, as a heading does.

    Where entries are list items it may as well be the first thing that is said.
    """
    if bare != entry.title or not entry.body.strip() or states(bare) is not States.PROJECT:
        return False
    return not normalise(bare).frames


def _units(entry: Entry, lines: Sequence[str], kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """Yield where each item or sentence of an entry begins and ends, lines from 0.

    Lines of a log are mostly sentences of their own: one goes on only where it has no end and the
    next line does not begin with who speaks; an item only on a line that is indented, or begins in
    the middle of a sentence.
    """
    number = entry.span.first - 1
    while number < entry.span.last:
        kind, first = kinds[number], number
        number += 1
        if kind not in _SPOKEN:
            continue
        going_on = Kind.QUOTE if kind is Kind.QUOTE else Kind.TEXT
        while (
            number < entry.span.last
            and kinds[number] is going_on
            and (kind is not Kind.ITEM or _belongs(lines[number]))
            and not _END.search(lines[number - 1])
            and speaker_of(lines[number]) is None
        ):
            number += 1
        yield first, number


def _belongs(line: str) -> bool:
    """Whether a line below an item goes on with it."""
    return line[:1].isspace() or line[:1].islower()


def unmarked(raw: str) -> str:
    """Return a unit without list mark, time, box, tag and the name of who speaks.

    Whose word is only passed on stays named: the sentence means nothing without.
    """
    marker = ITEM.match(raw)
    said = raw[marker.end() if marker else 0 :]
    for mark in (_TIME, _BOX, _TAG):
        if found := mark.match(said):
            said = said[found.end() :]
    if speaker_of(said) not in (None, Speaker.OTHER):
        found = _SPEAKER_END.search(said, 0, _LONGEST_NAME)
        said = said[found.end() :] if found else said
    return said
