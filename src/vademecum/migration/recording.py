"""Exports in JSON: where each record goes, and the texts that come of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from vademecum.core.clock import clock_time, human_day
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.migration import Decision, Fate, FilePlan, NewNote
from vademecum.core.notes import Span
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import render_claim
from vademecum.markdown.entries import render_entry
from vademecum.markdown.injection import is_injection
from vademecum.markdown.kinds import Kind, classify, is_durable
from vademecum.markdown.secrets import redact
from vademecum.migration.held import Held
from vademecum.migration.recorded import Conversation, Remembered, said_by, statements
from vademecum.migration.records import Record, records_of
from vademecum.writing.budget import NOTE_BUDGET
from vademecum.writing.entry_text import safe_text, safe_title
from vademecum.writing.names import is_about_the_user, person_in, project_in
from vademecum.writing.notes import described
from vademecum.writing.tombstones import digest_of_text

_LONGEST_STATEMENT = 300
_ASKED = later(
    r"(?:(?:please|also)[ ,]+)*(?:remember|note|keep in mind|don['’]t forget)"
    r"(?: that|[:,])[ ]+(?=\S)"
    r"|(?:bitte )?merk(?:e)? dir[:,]?(?: dass)?[ ]+(?=\S)",
    re.IGNORECASE,
)
"""How somebody asks for the rest of a sentence to be remembered."""
_BOOKKEEPING = "bookkeeping of the export"


@dataclass(slots=True)
class _Shelved:
    """Where claims of one subject go: the present note, and how full it is."""

    note: NewNote
    size: int = 0


@dataclass(slots=True)
class RecordPlan:
    """The decisions about an export, one a record in order (its number in `first`)."""

    decisions: list[Decision] = field(default_factory=list)
    notes: list[NewNote] = field(default_factory=list)


def plan_records(
    stream: Iterable[bytes],
    plan: FilePlan,
    held: Held,
    give: Callable[[Kind, str], str],
    archive: Callable[[str], str],
    quarantine: str,
    zone: ZoneInfo,
    stones: Container[str] = (),
) -> RecordPlan:
    """Decide about every record. Raises BadInput where the export cannot be read."""
    made = RecordPlan()
    shelves: dict[str, _Shelved] = {}
    source = plan.origin.value
    for number, record in enumerate(records_of(stream)):
        said = said_by(record)
        if said is None:
            made.decisions.append(Decision(number, number, Fate.GENERATED, "", _BOOKKEEPING))
        elif isinstance(said, Remembered) and digest_of_text(said.text) in stones:
            made.decisions.append(Decision(number, number, Fate.FORGOTTEN, "", "forgotten here"))
        elif isinstance(said, Conversation):
            day = said.at.date().isoformat() if said.at else "undated"
            path = archive(f"{source}/{day}-{said.title[:80].replace('/', ' ')}.md")
            made.decisions.append(Decision(number, number, Fate.ARCHIVE, path))
            for kind, _ in _stated(said, record, plan, zone):
                if not any(note.title == stated_title(kind, plan) for note in made.notes):
                    title = stated_title(kind, plan)
                    made.notes.append(NewNote(give(kind, title), kind.value, title))
        else:
            made.decisions.append(
                _memory(number, said, plan, held, give, quarantine, shelves, made.notes)
            )
    return made


def stated_title(kind: Kind, plan: FilePlan) -> str:
    """Return what the note is called that gets what a user stated in conversations."""
    return f"What was stated in {plan.origin.value}: {kind.value}"


def _memory(
    number: int,
    said: Remembered,
    plan: FilePlan,
    held: Held,
    give: Callable[[Kind, str], str],
    quarantine: str,
    shelves: dict[str, _Shelved],
    notes: list[NewNote],
) -> Decision:
    text = " ".join(redact(said.text).split())
    if is_injection(text):
        return Decision(number, number, Fate.QUARANTINE, quarantine, "words for a model")
    if known := held.held(text):
        return Decision(number, number, Fate.DUPLICATE, known.path, str(known.first))
    if twin := held.placed(text):
        return Decision(number, number, Fate.DUPLICATE, "", f"{twin.first}:{twin.path}")
    held.place(text, Span(plan.path, number, number))
    kind, title = _subject(text, said, plan.origin.value)
    key = f"{kind.value}/{title.casefold()}"
    shelf = shelves.get(key)
    if shelf is None or shelf.size > NOTE_BUDGET:
        note = NewNote(give(kind, title), kind.value, title, described(text))
        shelf = shelves[key] = _Shelved(note)
        notes.append(note)
    shelf.size += len(text.encode()) + 40
    return Decision(number, number, Fate.NOTE, shelf.note.path)


def _subject(text: str, said: Remembered, source: str) -> tuple[Kind, str]:
    """Return the kind of a memory, and what the note is about that it goes to."""
    kind = classify(text).kind
    if kind is Kind.PREFERENCE and is_about_the_user(text):
        return kind, "User preferences"
    if kind is Kind.PERSON:
        return kind, "User" if is_about_the_user(text) else person_in(text) or "People"
    if kind is Kind.PROJECT and (project := project_in(text)):
        return kind, project
    if said.categories:
        return kind, said.categories[0].replace("_", " ").capitalize()
    return kind, f"Memories from {source}"


@dataclass(slots=True)
class Line:
    """A claim that comes of a record."""

    record: Record
    text: str


@dataclass(slots=True)
class Talk:
    """A conversation as it is kept: the transcript, its entry in a log, what the user stated."""

    record: Record
    path: str
    transcript: str
    day: date
    entry: str
    stated: tuple[tuple[Kind, str], ...] = ()


@dataclass(slots=True)
class Left:
    """A record that gives no claim: a duplicate, bookkeeping, or what goes to quarantine."""

    record: Record
    decision: Decision
    text: str = ""


def made_of(
    stream: Iterable[bytes], plan: FilePlan, zone: ZoneInfo, today: date
) -> Iterator[tuple[Decision, Line | Talk | Left]]:
    """Yield, for every record in order, its decision and what is to be written."""
    for decision, record in zip(plan.decisions, records_of(stream), strict=True):
        said = said_by(record)
        if isinstance(said, Conversation):
            yield decision, _talk(record, decision, said, plan, zone, today)
        elif decision.fate is Fate.NOTE and said is not None:
            yield decision, Line(record, _claim(said, record, plan, zone))
        else:
            text = said.text if isinstance(said, Remembered) else ""
            yield decision, Left(record, decision, redact(text))


def _claim(said: Remembered, record: Record, plan: FilePlan, zone: ZoneInfo) -> str:
    text = _safe(redact(said.text))
    tags = [f"#{'-'.join(one.split())}" for one in said.categories]
    since = human_day(said.at, zone) if said.at else None
    id = _id(plan, record.pointer)
    return render_claim(" ".join((text, *tags)), Tag.OBSERVED, since=since, id=id)


def _talk(
    record: Record,
    decision: Decision,
    said: Conversation,
    plan: FilePlan,
    zone: ZoneInfo,
    today: date,
) -> Talk:
    at = said.at or next((turn.at for turn in said.turns if turn.at), None)
    day = human_day(at, zone) if at else today
    title = redact(said.title)
    rows = [f"# {safe_title(title, title)}\n"]
    for turn in said.turns:
        rows.append(render_entry(_clock(turn.at, zone), turn.speaker, safe_text(redact(turn.text))))
    if said.aside:
        rows.append("\n## Branches that were left\n")
        for turn in said.aside:
            text = safe_text(redact(turn.text))
            rows.append(render_entry(_clock(turn.at, zone), turn.speaker, text))
    heading = "A conversation" if is_injection(title) else title
    count = len(said.turns)
    turns = "1 turn" if count == 1 else f"{count} turns"
    told = f"{turns} with {plan.origin.value}, kept in {decision.to}"
    entry = render_entry(_clock(at, zone) or "00:00", safe_title(heading, heading), told)
    stated = tuple(_stated(said, record, plan, zone))
    return Talk(record, decision.to, "".join(rows), day, entry, stated)


def _stated(
    said: Conversation, record: Record, plan: FilePlan, zone: ZoneInfo
) -> Iterator[tuple[Kind, str]]:
    """Yield the claims in what the user said: what is decided, preferred, learnt, or of people.

    What they asked to be remembered is one, whatever it is about.
    """
    seen: set[str] = set()
    for number, (whole, at) in enumerate(statements(said)):
        asked = _ASKED.match(whole)
        sentence = whole[asked.end() :] if asked else whole
        found = classify(sentence)
        if (
            (not asked and found.kind in (Kind.FACT, Kind.PROJECT))
            or len(sentence) > _LONGEST_STATEMENT
            or not is_durable(sentence)
            or is_injection(sentence)
            or sentence in seen
        ):
            continue
        of_people = found.kind in (Kind.PREFERENCE, Kind.PERSON)
        if of_people and not asked and not is_about_the_user(sentence):
            continue
        seen.add(sentence)
        since = human_day(at, zone) if at else None
        id = _id(plan, f"{record.pointer}/{number}")
        text = _safe(redact(sentence))
        yield found.kind, render_claim(text, Tag.OBSERVED, since=since, id=id)


def _clock(at: datetime | None, zone: ZoneInfo) -> str:
    return clock_time(at, zone) if at else ""


def _safe(text: str) -> str:
    """Return a text as that of a claim: on one line, and read back as it is."""
    flat = " ".join(text.replace("\0", " ").split())
    return flat.replace("~~", "~\\~").replace("<!--", "<\\!--")


def _id(plan: FilePlan, part: str) -> str:
    return "m" + text_digest(f"{plan.digest}:{part}")[:7]
