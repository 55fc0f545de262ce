"""What is going on, as logs and ledger of the last days tell: focus, tasks, blocked, agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from vademecum.core.changes import Change
from vademecum.core.clock import clock_time
from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.core.provenance import is_job
from vademecum.lifecycle.cues import Went, is_hedged, went
from vademecum.lifecycle.day import DayLog, Statement, proven, unmarked
from vademecum.lifecycle.intended import Fate, outcomes
from vademecum.markdown.lines import decode, split
from vademecum.markdown.recalled import holds_claim_line, is_recall_output
from vademecum.markdown.secrets import find_secrets
from vademecum.markdown.sentences import States
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.speakers import Speaker, speaker_of_title

_BLOCKED = later(
    r"(?i)\b(?:blocked(?: by| on|:)|blocker|waiting (?:for|on)|stuck (?:on|with|at)|on hold"
    r"|depends on a reply|blockiert|wartet? auf|hängt an|steckt fest)\b"
    r"|阻塞|卡在|卡住|等待|受阻|待批|ブロック|待ち|保留"
)
_OPEN = later(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[ \][ \t]+")
_CLOSED = later(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[xX]\][ \t]+(?P<text>.+)")
_FLUSH = "Memory flush, session "


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, what it waits for, or what was done; and the day it is from."""

    text: str
    day: date


@dataclass(frozen=True, slots=True)
class Agent:
    """Who wrote today, and when last, as `HH:MM`."""

    name: str
    last: str


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What the workbench is to show; of each, the newest comes first."""

    day: date
    focus: tuple[str, ...] = ()
    """Titles of today's last entries, with their times."""
    tasks: tuple[Task, ...] = ()
    blocked: tuple[Task, ...] = ()
    done: tuple[Task, ...] = ()
    """What was finished today."""
    agents: tuple[Agent, ...] = ()


def going_on(
    workspace: Workspace, logs: Sequence[DayLog], today: date, changes: Iterable[Change]
) -> GoingOn:
    """Return what `logs`, the oldest first, and the `changes` of today tell.

    A task is an open box of a log, or a sentence that says what is left to do; it goes when a box
    with its words is ticked, or a later sentence tells of it as done. What comes from outside, and
    what recall returned, tells nothing: the workbench is read into every session.
    """
    statements = [(log.day, statement) for log in logs for statement in log.statements]
    boxes = _Boxes(workspace, logs)
    tasks: dict[str, Task] = {}
    blocked: dict[str, Task] = {}
    done: dict[str, Task] = {}
    for number, (day, statement) in enumerate(statements):
        into = _kind_of(statement, boxes, tasks, blocked, done, day == today)
        if into is None or not _may_show(workspace, statement):
            continue
        rest = [later_one for _, later_one in statements[number + 1 :]]
        if into is done or not _is_over(statement, rest, boxes):
            into.pop(key_of(statement.text), None)
            into[key_of(statement.text)] = Task(statement.text, day)
    return GoingOn(
        today,
        tuple(_focus(logs, today)),
        _newest(tasks),
        _newest(blocked),
        _newest(done),
        _agents(changes, workspace.zone),
    )


class _Boxes:
    """Which lines of the logs are open boxes, and which words were ticked."""

    def __init__(self, workspace: Workspace, logs: Sequence[DayLog]) -> None:
        self.ticked: set[str] = set()
        self._open: set[tuple[str, int]] = set()
        for path in dict.fromkeys(entry.span.path for log in logs for entry in log.entries):
            for number, line in enumerate(_lines(workspace, path), start=1):
                if found := _CLOSED.match(line):
                    self.ticked.add(key_of(found["text"].strip()))
                elif _OPEN.match(line):
                    self._open.add((path, number))

    def is_open(self, statement: Statement) -> bool:
        """Whether the statement stands behind an empty box."""
        return (statement.span.path, statement.span.first) in self._open


def _kind_of(
    statement: Statement,
    boxes: _Boxes,
    tasks: dict[str, Task],
    blocked: dict[str, Task],
    done: dict[str, Task],
    is_today: bool,
) -> dict[str, Task] | None:
    """Return where a statement belongs, None where it is neither."""
    if is_hedged(statement.text) or statement.states is States.QUESTION:
        return None
    how = went(statement.text)
    if _BLOCKED.search(statement.text) and how is not Went.RIGHT:
        return blocked
    if boxes.is_open(statement) or statement.states is States.TASK:
        return tasks
    finished = key_of(statement.text) in boxes.ticked or how is Went.RIGHT
    return done if is_today and finished else None


def _is_over(statement: Statement, rest: Sequence[Statement], boxes: _Boxes) -> bool:
    """Whether what comes later says that it was done."""
    if key_of(statement.text) in boxes.ticked:
        return True
    found = outcomes((f"- {statement.text}\n",), rest)
    return any(outcome.fate is Fate.DONE for outcome in found)


def _may_show(workspace: Workspace, statement: Statement) -> bool:
    """Whether a statement may stand in a file that every session reads."""
    if find_secrets(statement.text):
        return False
    proof = proven(workspace, statement, "")
    return proof is not None and not proof.untrusted


def _focus(logs: Sequence[DayLog], today: date) -> Iterator[str]:
    """Yield the titles of today's entries, the newest first."""
    for log in reversed(logs):
        for entry in reversed(log.entries if log.day == today else ()):
            outside = speaker_of_title(entry.title) is Speaker.WEB
            told = f"{entry.title}\n{entry.body}"
            if not entry.title or entry.title.startswith(_FLUSH) or outside:
                continue
            if is_recall_output(told) or holds_claim_line(told) or find_secrets(entry.title):
                continue
            yield f"{entry.time} {unmarked(entry.title)}".strip()


def _agents(changes: Iterable[Change], zone: ZoneInfo) -> tuple[Agent, ...]:
    last = {change.actor: change.at for change in changes if not is_job(change.actor)}
    return tuple(Agent(name, clock_time(at, zone)) for name, at in last.items())


def _newest(tasks: dict[str, Task]) -> tuple[Task, ...]:
    return tuple(reversed(tasks.values()))


def _lines(workspace: Workspace, path: str) -> Sequence[str]:
    try:
        return split(decode(workspace.files.read(path).data).text)
    except VademecumError:
        return ()
