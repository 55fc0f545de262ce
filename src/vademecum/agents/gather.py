"""What other agents lived through and decided, folded into the log of the agent that may read it.

An entry is known again by a mark in the log itself, so nothing has to be remembered elsewhere: a
gathering that was killed is made up for by the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from vademecum.agents.authors import GATHERER, Authors
from vademecum.agents.scope import Caller
from vademecum.agents.view import View
from vademecum.core.claims import Claim
from vademecum.core.clock import human_day
from vademecum.core.entries import Entry
from vademecum.core.errors import OverBudget, Refused, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.core.provenance import Actor
from vademecum.markdown.claims import read_claims
from vademecum.markdown.entries import read_entries
from vademecum.markdown.gathered import mark_of, marks_in, rendered, without_marks
from vademecum.markdown.lines import decode, split
from vademecum.markdown.parse import parse_note
from vademecum.markdown.sentences import LASTING, sentences
from vademecum.markdown.wording import key_of
from vademecum.workspace.archived import archived_notes
from vademecum.workspace.workspace import Workspace
from vademecum.writing.log import append_entry
from vademecum.writing.tombstones import refuse_forgotten

DAYS = 30
"""How far back the first gathering looks, and each later one at least."""
LONGEST = 800
"""Characters of an entry that are repeated; the rest is read where it stands."""
_DECISIONS = "decisions"


@dataclass(frozen=True, slots=True)
class GatheredFrom:
    """Where something was gathered from."""

    agent: str
    path: str
    place: str
    """Lines (`3-8`) or the block id (`^c7f3a1`) of what was gathered."""

    def __str__(self) -> str:
        joint = "#" if self.place.startswith("^") else ":"
        return f"{self.agent}:{self.path}{joint}{self.place}"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry for the log: a key event, or a decision that is new or holds no longer."""

    origin: GatheredFrom
    day: date
    time: str
    title: str
    text: str
    said: str
    """What was said there, a line each, without quotation and tags."""
    marks: tuple[tuple[str, str], ...]
    author: str = ""
    """Who wrote it there: of a group, which shares one memory, the member that did."""
    change: str = ""
    """The write that logged it; empty while it is none."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a gathering found new; with `dry_run` it would be logged."""

    agents: tuple[str, ...]
    """Whose memory was looked through."""
    events: tuple[Event, ...]
    passed_over: tuple[tuple[str, str], ...] = ()
    """Origins of what this memory does not take, each with why."""
    dry_run: bool = False


def gather(
    workspace: Workspace,
    views: Sequence[View],
    caller: Caller,
    *,
    session: str = "",
    since: date | None = None,
    dry_run: bool = False,
) -> Gathered:
    """Log what is new in what other agents let this one read, each once, with where it stands.

    Key events are entries of their logs that state a decision, a correction, a preference, a
    lesson, a person or a project. `since` is the first day that is looked at; without it the last
    30, or all since the last gathering. Raises what any write raises.
    """
    known = _Known(workspace)
    first = since or _first_day(workspace, known)
    events = sorted(
        _all_new(views, caller, first, known),
        key=lambda event: (event.day, event.time, event.marks),
    )
    agents = tuple(view.owner for view in views)
    if dry_run:
        return Gathered(agents, tuple(events), dry_run=True)
    logged, passed = [], []
    for event in events:
        try:
            logged.append(_logged(workspace, event, session))
        except OverBudget:
            raise
        except Refused as error:  # what was forgotten here stays so
            passed.append((str(event.origin), str(error)))
    return Gathered(agents, tuple(logged), tuple(passed))


def _all_new(views: Sequence[View], caller: Caller, first: date, known: _Known) -> Iterator[Event]:
    """Yield what is new in each memory once: a group has one, which several may have granted."""
    told: dict[Path, set[tuple[tuple[str, str], ...]]] = {}
    for view in views:
        before = told.setdefault(view.workspace.root, set())
        new = [event for event in _new(view, caller, first, known) if event.marks not in before]
        before.update(event.marks for event in new)
        yield from new


def _logged(workspace: Workspace, event: Event, session: str) -> Event:
    refuse_forgotten(workspace, event.said)
    written = append_entry(
        workspace,
        event.text,
        actor=Actor(GATHERER, session),
        title=event.title,
        redact=True,
        group=_group(event.marks),
    )
    return replace(event, change=written.change)


def _group(marks: Iterable[tuple[str, str]]) -> str:
    return "+".join(f"{place}-{text}" for place, text in marks)


# ------------------------------------------------------------ what is known


class _Known:
    """The marks of everything that was ever gathered: by the logs, and by the ledger.

    An entry that somebody took out of the log again is in the ledger still, and does not come back.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._texts: dict[str, Counter[str]] = {}
        self.last: date | None = None
        seen: dict[tuple[str, str], int] = {}
        for path in (*workspace.scan().files, *archived_notes(workspace)):
            if workspace.role_of(path) is Role.LOG or path.startswith("."):
                for mark in _marks(workspace, path):
                    seen[mark] = seen.get(mark, 0) + 1
        for change in workspace.ledger.changes(actor=GATHERER, verb="log"):
            self.last = human_day(change.at, workspace.zone)
            for part in change.group.split("+"):
                place, _, text = part.partition("-")
                seen.setdefault((place, text), 1)
        for (place, text), count in seen.items():
            self._texts.setdefault(place, Counter())[text] = count

    def new(self, place: str, texts: Sequence[str]) -> list[int]:
        """Return which of the texts at a place, by number, were not gathered.

        A text that is not known stands for one that is and is there no longer: it was edited.
        """
        known = Counter(self._texts.get(place, Counter()))
        left = []
        for number, text in enumerate(texts):
            if known[text] > 0:
                known[text] -= 1
            else:
                left.append(number)
        edited = sum(count for count in known.values() if count > 0)
        return left[edited:]


def _marks(workspace: Workspace, path: str) -> list[tuple[str, str]]:
    try:
        return marks_in(decode(workspace.files.read(path).data).text)
    except VademecumError:
        return []


def _first_day(workspace: Workspace, known: _Known) -> date:
    today = human_day(workspace.clock.now(), workspace.zone)
    earliest = today - timedelta(days=DAYS)
    return min(earliest, known.last) if known.last else earliest


# ------------------------------------------------------------ what is new


def _new(view: View, caller: Caller, first: date, known: _Known) -> Iterator[Event]:
    workspace = view.workspace
    authors = Authors(view, caller)
    days: dict[date, list[Entry]] = {}
    for path in sorted(workspace.scan().files):
        try:
            text = decode(workspace.files.read(path).data).text
        except VademecumError:
            continue
        day = workspace.profile.day_of(path)
        if day is not None and workspace.role_of(path) is Role.LOG:
            for entry in read_entries(path, text, day):
                if entry.day >= first:
                    days.setdefault(entry.day, []).append(entry)
        elif _tells_decisions(workspace, path, text):
            yield from _decisions(authors, view, path, text, first, known)
    for entries in days.values():
        yield from _entries(authors, view, entries, known)


def _entries(
    authors: Authors, view: View, entries: Sequence[Entry], known: _Known
) -> Iterator[Event]:
    by_minute: dict[str, list[Entry]] = {}
    for entry in entries:
        # What was gathered from others is theirs to pass on.
        if not authors.is_gathered(entry.body) and _is_key(entry):
            by_minute.setdefault(entry.time or entry.title, []).append(entry)
    for when, found in by_minute.items():
        place = f"entry\x1f{view.workspace.id}\x1f{found[0].day.isoformat()}\x1f{when}"
        marks = [mark_of(place, f"{entry.title}\n{entry.body}") for entry in found]
        for number in known.new(marks[0][0], [text for _, text in marks]):
            yield _told(authors, view, found[number], marks[number])


def _is_key(entry: Entry) -> bool:
    return any(one.states in LASTING for one in sentences(f"{entry.title}\n{entry.body}"))


def _told(authors: Authors, view: View, entry: Entry, mark: tuple[str, str]) -> Event:
    lines = f"{entry.span.first}-{entry.span.last}"
    text = split(decode(view.workspace.files.read(entry.span.path).data).text)
    raw = "".join(text[entry.span.first - 1 : entry.span.last])
    who = authors.of_entry(entry.span.path, raw)
    origin = GatheredFrom(view.owner, entry.span.path, lines)
    title = f"{who}: {entry.title}" if entry.title else f"{who}: an event"
    quoted = _quoted(entry.body or entry.title)
    body = (
        f"{quoted}\n{_from(origin, who, f'{entry.day.isoformat()} {entry.time}'.strip(), [mark])}"
    )
    said = f"{entry.title}\n{entry.body}"
    return Event(origin, entry.day, entry.time, without_marks(title), body, said, (mark,), who)


def _tells_decisions(workspace: Workspace, path: str, text: str) -> bool:
    role = workspace.role_of(path)
    if role is not Role.CONCEPT:
        return False
    written = parse_note(path, text, role).properties.text("type").strip().casefold()
    return written == "decision" or (not written and _DECISIONS in path.split("/")[:-1])


def _decisions(
    authors: Authors, view: View, path: str, text: str, first: date, known: _Known
) -> Iterator[Event]:
    claims = list(read_claims(path, text))
    told = {
        claim: event
        for claim in claims
        if (event := _decision(authors, view, path, claim, claims, first, known)) is not None
    }
    for claim, event in told.items():
        # A decision that another one replaces is told by that one.
        by = next((one for one in told if one.live and _replaces(one, claim)), None)
        if by is None:
            ended = [one for past, one in told.items() if claim.live and _replaces(claim, past)]
            yield _with_marks(event, [mark for one in ended for mark in one.marks])


def _decision(
    authors: Authors,
    view: View,
    path: str,
    claim: Claim,
    claims: Sequence[Claim],
    first: date,
    known: _Known,
) -> Event | None:
    """Return what there is to tell of a decision; None where that was told, or is long past."""
    place = f"claim\x1f{view.workspace.id}\x1f{claim.id or key_of(claim.text)}"
    state = "holds" if claim.live else "past"
    mark = mark_of(place + f"\x1f{state}", "")
    day = (claim.since if claim.live else claim.until or claim.since) or first
    if day < first or not known.new(mark[0], [mark[1]]):
        return None
    who = authors.of_decision(path, claim.id)
    origin = GatheredFrom(view.owner, path, f"^{claim.id}" if claim.id else str(claim.span.first))
    told = f"[{claim.tag.value}] {claim.text}"
    replaced = [one.text for one in claims if claim.live and _replaces(claim, one)]
    follows = next((one.text for one in claims if not claim.live and _replaces(one, claim)), "")
    if claim.live:
        verb = "decided"
        told += "".join(f"\ninstead of: {text}" for text in replaced)
    else:
        verb = "no longer holds"
        told += f"\nit holds now: {follows}" if follows else ""
    body = f"{_quoted(told)}\n{_from(origin, who, day.isoformat(), [mark])}"
    title = f"{who} {verb}: {_short(claim.text)}"
    said = "\n".join((claim.text, *replaced, follows))
    return Event(origin, day, "", without_marks(title), body, said, (mark,), who)


def _replaces(newer: Claim, older: Claim) -> bool:
    return bool(newer.id) and older.superseded_by.endswith(newer.id)


def _with_marks(event: Event, marks: Sequence[tuple[str, str]]) -> Event:
    text = ", ".join((event.text, *map(rendered, marks)))
    return replace(event, text=text, marks=(*event.marks, *marks))


def _from(origin: GatheredFrom, who: str, when: str, marks: Iterable[tuple[str, str]]) -> str:
    told = ", ".join(rendered(mark) for mark in marks)
    by = f"by {who}, " if who != origin.agent else ""
    return f"Origin: `{origin}`, {by}{when}, {told}"


def _quoted(text: str) -> str:
    """Return a text as a quotation, cut where it is long, without what could pass for a mark."""
    plain = without_marks(text.strip())
    if len(plain) > LONGEST:
        plain = plain[:LONGEST].rsplit(" ", 1)[0] + " …"
    return "\n".join(f"> {line}".rstrip() for line in plain.splitlines())


def _short(text: str, most: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rsplit(" ", 1)[0] + "…"
