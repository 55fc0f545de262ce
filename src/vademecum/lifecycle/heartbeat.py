"""Heartbeat: what happened since the last one, routed through log and claims, shown in NOW.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from vademecum.core.changes import Change
from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Believed, Declined, Entered, Plan, Proposal, Refreshed
from vademecum.core.provenance import Tag, is_job
from vademecum.core.search import Degradation
from vademecum.lifecycle.cues import is_hedged, is_passing, lasts
from vademecum.lifecycle.day import DayLog, Proven, Statement, log_files, proven, read_day
from vademecum.lifecycle.going_on import going_on
from vademecum.lifecycle.now_text import MEND_MARKS, kept, marks_defect
from vademecum.markdown.kinds import Kind, classify, is_durable
from vademecum.markdown.lines import decode
from vademecum.markdown.sentences import dated, states
from vademecum.markdown.wording import key_of
from vademecum.workspace.files import Content
from vademecum.workspace.workspace import Workspace

_MOST_DAYS = 7
"""How far back tasks are looked for, and how long a silence is made up for."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What users said in one session that lasts, and no log holds yet."""

    session: str
    title: str
    """Of its entry in the log."""
    origin: str
    rows: tuple[str, ...]
    days: tuple[date | None, ...] = ()
    """When each row was said, None for today."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a beat had seen; the next one begins there."""

    at: str = ""
    """ISO 8601; empty before the first beat."""
    ledger: int = 0
    """Bytes of the ledger that were read."""
    files: tuple[tuple[str, str], ...] = ()
    """Logs and workbench, each with its digest."""
    told: tuple[str, ...] = ()
    """`key_of` what was routed of the days that may be looked at again."""


@dataclass(frozen=True, slots=True)
class Beat:
    """What a beat would do, and what it will have seen then."""

    plan: Plan
    seen: Seen


def plan_heartbeat(
    workspace: Workspace, seen: Seen, heard: Sequence[Heard] = (), *, person: str = ""
) -> Beat:
    """Return what happened since `seen` as proposals; nothing is changed.

    What was `heard` in sessions goes to today's log in the user's words. Of what is new there and
    in the logs, each sentence that lasts becomes a claim in its own words, with its place as
    evidence and a tag that this proves; a lesson nobody stated is `inferred`. The workbench shows
    what is in hand. Where nothing happened there is no proposal at all.
    """
    now = workspace.clock.now()
    today = human_day(now, workspace.zone)
    changes, end = workspace.ledger.since(seen.ledger)
    files = tuple(_digests(workspace, today, _first_day(workspace, seen, today)))
    happened = any(not is_job(change.actor) for change in changes) or any(
        not _is_own(workspace, *file) for file in set(files) - set(seen.files)
    )
    rows = [row for one in heard for row in one.rows if key_of(row) not in seen.told]
    if seen.at and not happened and not rows:
        return Beat(Plan(notes=(f"Nothing happened since {seen.at}.",)), seen)
    return _Beating(workspace, seen, heard, person, now).beat(files, end)


class _Beating:
    """One beat in the making."""

    def __init__(
        self, workspace: Workspace, seen: Seen, heard: Sequence[Heard], person: str, now: datetime
    ) -> None:
        self._workspace = workspace
        self._seen = seen
        self._heard = heard
        self._person = person
        self._now = now
        self._today = human_day(now, workspace.zone)
        self._told = set(seen.told)
        self._keep: dict[str, None] = {}
        self._declined: list[Declined] = []

    def beat(self, files: tuple[tuple[str, str], ...], end: int) -> Beat:
        first = _first_day(self._workspace, self._seen, self._today)
        shown = min(first, self._today - timedelta(days=_MOST_DAYS - 1))
        logs = [read_day(self._workspace, day) for day in _days(shown, self._today)]
        proposals: list[Proposal] = [*self._entries()]
        proposals += self._claims([log for log in logs if log.day >= first])
        proposals += self._workbench(logs)
        new = sum(len(log.entries) for log in logs if log.day >= first)
        since = self._seen.at or "the beginning"
        note = f"Looked at what happened since {since}: {new} log entries of {first} and later."
        seen = Seen(self._now.isoformat(timespec="seconds"), end, files, tuple(self._keep))
        declined, degraded = tuple(self._declined), tuple(self._unkept())
        return Beat(Plan(tuple(proposals), declined, degraded, (note,)), seen)

    # ------------------------------------------------------------ log and claims

    def _entries(self) -> Iterator[Entered | Believed]:
        log = self._workspace.profile.log_path(self._today)
        for one in self._heard:
            rows = [row for row in one.rows if key_of(row) not in self._told]
            for row in one.rows:
                self._keep[key_of(row)] = None
            if not rows:
                continue
            said = dict(zip(one.rows, one.days, strict=False))
            lines = [dated(row, day) if (day := said.get(row)) else row for row in rows]
            text = "\n".join([one.origin, "", *(f"- User: {row}" for row in lines)])
            yield Entered(text, one.title, f"said in the session {one.session}")
            for row in rows:
                self._told.add(key_of(row))
                passing = is_passing(row, states(row))
                if is_durable(row) and not is_hedged(row) and not passing:
                    day = said.get(row)
                    yield Believed(
                        row,
                        Tag.STATED.value,
                        source=(log,),
                        quote=(row,),
                        since=day.isoformat() if day else "",
                        why="the user said so",
                    )

    def _claims(self, logs: Sequence[DayLog]) -> Iterator[Believed]:
        for day, statement in ((log.day, each) for log in logs for each in log.statements):
            if not lasts(statement.text, statement.states) or not is_durable(statement.text):
                continue
            key = key_of(statement.text)
            self._keep[key] = None
            if key in self._told or is_hedged(statement.text):
                continue
            self._told.add(key)
            proof = proven(self._workspace, statement, self._person)
            if proof is None or proof.tag is Tag.SUGGESTED:
                continue
            if proof.untrusted:
                self._declined.append(Declined(statement.text, proof.untrusted, statement.span))
                continue
            yield _believed(statement, proof, day)

    # ------------------------------------------------------------ the workbench

    def _workbench(self, logs: Sequence[DayLog]) -> Iterator[Refreshed]:
        workspace = self._workspace
        path = workspace.profile.workbench_path
        content = _content(workspace, path) if path else None
        if not path or (content is None and not workspace.profile.starts_with_workbench):
            return  # it comes with its first use there, which is not for a job to make
        text = decode(content.data).text if content is not None else "# Now\n"
        made = kept(
            text,
            going_on(workspace, logs, self._today, self._changes_of_today()),
            at=self._now,
            zone=workspace.zone,
            vault=workspace.profile.name == "vault",
            budget=workspace.settings.budget.workbench,
        )
        if made is not None:
            yield Refreshed(made, content.digest if content is not None else "", "what is going on")

    def _unkept(self) -> Iterator[Degradation]:
        path = self._workspace.profile.workbench_path
        content = _content(self._workspace, path) if path else None
        if content is not None and (defect := marks_defect(decode(content.data).text)):
            yield Degradation("workbench", f"{path} is not kept: {defect}", MEND_MARKS)

    def _changes_of_today(self) -> Iterator[Change]:
        for change in self._workspace.ledger.changes():
            if human_day(change.at, self._workspace.zone) == self._today:
                yield change


def _believed(statement: Statement, proof: Proven, day: date) -> Believed:
    concluded = classify(statement.text).kind is Kind.LESSON and proof.tag is not Tag.STATED
    return Believed(
        statement.text,
        (Tag.INFERRED if concluded else proof.tag).value,
        source=(str(statement.span),),
        quote=(statement.text,),
        since=(statement.said or day).isoformat(),
        why=f"states a {statement.states.value}",
    )


def _first_day(workspace: Workspace, seen: Seen, today: date) -> date:
    """Return the first day whose log is looked at: that of the last beat, or yesterday."""
    try:
        last = human_day(datetime.fromisoformat(seen.at), workspace.zone)
    except ValueError:
        last = today - timedelta(days=1)
    return max(min(last, today), today - timedelta(days=_MOST_DAYS - 1))


def _days(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(days=1)


def _digests(workspace: Workspace, today: date, first: date) -> Iterator[tuple[str, str]]:
    """Yield the files that a beat looks at with their digests."""
    paths = [path for day in _days(first, today) for path in log_files(workspace, day)]
    for path in (*paths, workspace.profile.workbench_path):
        content = _content(workspace, path) if path else None
        if content is not None:
            yield path, content.digest


def _is_own(workspace: Workspace, path: str, digest: str) -> bool:
    """Whether the file is as a job left it: that is nothing that happened."""
    last = workspace.ledger.last(path)
    return last is not None and is_job(last.actor) and last.after == digest


def _content(workspace: Workspace, path: str) -> Content | None:
    try:
        return workspace.files.read(path)
    except NoteNotFound:
        return None
