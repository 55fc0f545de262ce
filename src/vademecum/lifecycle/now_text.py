"""The part of the workbench that the heartbeat keeps, in the profile's form; the rest is yours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from vademecum.core.patterns import later
from vademecum.lifecycle.going_on import Agent, GoingOn, Task
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.secrets import redact
from vademecum.markdown.wording import key_of

BEGIN = "<!-- vade:now (kept by the heartbeat; write outside these two lines) -->"
END = "<!-- /vade:now -->"
MEND_MARKS = (
    "Take what is left of the two lines out, with what the heartbeat wrote between them; "
    "the next beat makes it anew."
)
_BEGIN = later(r"[ \t]*<!--[ \t]*vade:now\b[^>]*-->\s*\Z")
_END = later(r"[ \t]*<!--[ \t]*/vade:now[ \t]*-->\s*\Z")
_UPDATED = later(r"[ \t]*\*Updated: (\d{4}-\d{2}-\d{2}) \d{2}:\d{2}\*[ \t]*\r?\n?\Z")
_AGENT = later(
    r"(?:- (?P<one>.+): last write |\| (?P<two>[^|]+?) \| )(?P<last>\d{2}:\d{2})(?: \||\s*\Z)"
)
_ITEM_MARKS = later(r"[\s>*+|-]*(?:\d+[.)]\s+)?(?:\[[ xX]\]\s+)?[✅⚠️☑❌⏳🔴🟡⚪🎯\s]*")
_LONGEST = 160
"""Characters of one line; the log has the rest."""
_MOST = (10, 6, 3, 1)
"""How many tasks are shown, the first of these that fits the budget of the file."""

Form = Callable[[GoingOn, int], Iterator[tuple[str, list[str]]]]


def kept(
    text: str, now: GoingOn, *, at: datetime, zone: ZoneInfo, vault: bool, budget: int
) -> str | None:
    """Return the workbench `text` with what is going `now` in the part that the heartbeat keeps.

    None where that part says so already, whatever its date; where nothing of it fits `budget`
    characters; and where its markers are broken. What stands outside of the markers stays byte by
    byte, but for a line `*Updated: …*` in it, which then tells the time of this version. What is
    said there already is not repeated.
    """
    if marks_defect(text):
        return None
    lines = split(text)
    own = _own_range(lines)
    before, after = (lines[: own[0]], lines[own[1] + 1 :]) if own else (lines, [])
    there = lines[own[0] + 1 : own[1]] if own else []
    line_end = newline_of(text)
    stamp = f"*Updated: {at.astimezone(zone):%Y-%m-%d %H:%M}*"
    by_hand = [*before, *after]
    now = _with_others(now, there, by_hand)
    for most in _MOST:
        body = list(_body(by_hand, now, most, vault))
        if body == _said(there) or not (body or there):
            return None
        block = _block(body, "" if any(map(_UPDATED.match, by_hand)) else stamp)
        made = _joined(before, [row + line_end for row in block], after, stamp, line_end)
        if len(made) <= max(budget, len(text)):
            return made
    return None


def marks_defect(text: str) -> str:
    """Return what is wrong with the marks of the part that is kept; empty for a pair and none."""
    lines = split(text)
    marks = sum(bool(_BEGIN.match(line) or _END.match(line)) for line in lines)
    if not marks or _own_range(lines):
        return ""
    return "of the two lines `vade:now` around it one is missing, doubled or out of order"


def _own_range(lines: Sequence[str]) -> tuple[int, int] | None:
    begin = [number for number, line in enumerate(lines) if _BEGIN.match(line)]
    end = [number for number, line in enumerate(lines) if _END.match(line)]
    if len(begin) == 1 and len(end) == 1 and begin[0] < end[0]:
        return begin[0], end[0]
    return None


def _said(there: Sequence[str]) -> list[str]:
    """Return what a kept part says: its lines without the one that tells its time."""
    rows = [line.rstrip("\r\n") for line in there if not _UPDATED.match(line)]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _block(body: Sequence[str], stamp: str) -> list[str]:
    return [BEGIN, *body, *(["", stamp] if stamp else []), END]


def _joined(
    before: Sequence[str], block: Sequence[str], after: Sequence[str], stamp: str, line_end: str
) -> str:
    def stamped(lines: Sequence[str]) -> list[str]:
        return [stamp + line_end if _UPDATED.match(line) else line for line in lines]

    head = stamped(before)
    if head and not head[-1].endswith("\n"):
        head.append(line_end)
    if head and head[-1].strip():
        head.append(line_end)
    return "".join([*head, *block, *stamped(after)])


def _with_others(now: GoingOn, there: Sequence[str], by_hand: Sequence[str]) -> GoingOn:
    """Add the agents of today that only the ledger of another machine knows.

    Without it two machines with one workspace would take turns at writing each its own.
    """
    stamps = [found[1] for line in (*there, *by_hand) if (found := _UPDATED.match(line))]
    last = {agent.name: agent.last for agent in now.agents}
    if now.day.isoformat() in stamps:
        for found in filter(None, map(_AGENT.match, there)):
            name = (found["one"] or found["two"]).replace("\\|", "|")
            last[name] = max(found["last"], last.get(name, ""))
    agents = sorted((Agent(*row) for row in last.items()), key=lambda one: one.name)
    agents.sort(key=lambda one: one.last, reverse=True)
    return GoingOn(now.day, now.focus, now.tasks, now.blocked, now.done, tuple(agents))


def _body(by_hand: Sequence[str], now: GoingOn, most: int, vault: bool) -> Iterator[str]:
    """Yield the lines of all sections that say something that was not written by hand."""
    form: Form = _vault if vault else _standard
    known = {key_of(_ITEM_MARKS.sub("", line, count=1).strip()) for line in by_hand}
    known |= {key_of(cell.strip()) for line in by_hand for cell in line.split("|")}
    headings = set(_headings(by_hand))
    first = True
    for title, rows in form(_without(now, known), most):
        if not rows or (vault and title.casefold() in headings):
            continue
        if not first:
            yield ""
        first = False
        yield f"## {title}"
        yield ""
        yield from rows


def _headings(lines: Sequence[str]) -> Iterator[str]:
    for line, kind in zip(lines, classify(lines), strict=True):
        if kind is Kind.HEADING and (found := heading_of(line)):
            yield found[1].casefold()


def _without(now: GoingOn, known: set[str]) -> GoingOn:
    def rest(tasks: Sequence[Task]) -> tuple[Task, ...]:
        return tuple(task for task in tasks if key_of(task.text) not in known)

    return GoingOn(
        now.day, now.focus, rest(now.tasks), rest(now.blocked), rest(now.done), now.agents
    )


def _standard(now: GoingOn, most: int) -> Iterator[tuple[str, list[str]]]:
    yield "Focus", [f"- {_line(title)}" for title in now.focus[: min(most, 3)]]
    yield "Tasks", [f"- [ ] {_line(task.text)} ({task.day})" for task in now.tasks[:most]]
    yield "Blocked by", [f"- {_line(task.text)} ({task.day})" for task in now.blocked[:most]]
    yield (
        "Agents",
        [f"- {_line(agent.name)}: last write {agent.last}" for agent in now.agents[:most]],
    )


def _vault(now: GoingOn, most: int) -> Iterator[tuple[str, list[str]]]:
    today = [f"- ✅ {_line(task.text)}" for task in now.done[:most]]
    today += [f"- ⚠️ {_line(task.text)}" for task in now.blocked[:most]]
    yield f"Today ({now.day:%m/%d})", today
    waiting = {key_of(task.text) for task in now.blocked}
    rows = [task for task in now.tasks if key_of(task.text) not in waiting][:most]
    yield (
        "P0 Priorities",
        _table(
            ("#", "Item", "Status", "Owner"),
            [
                (str(number), _line(task.text), "open", "")
                for number, task in enumerate(rows, start=1)
            ],
        ),
    )
    yield (
        "Agent Status",
        _table(
            ("Agent", "Last write", "Focus"),
            [
                (
                    _line(agent.name),
                    agent.last,
                    _line(now.focus[0]) if now.focus and not number else "",
                )
                for number, agent in enumerate(now.agents[:most])
            ],
        ),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return [
        f"| {' | '.join(head)} |",
        "|" + "|".join("---" for _ in head) + "|",
        *(f"| {' | '.join(row)} |" for row in cells),
    ]


def _line(text: str) -> str:
    """Return a text for one line: short, without credentials, no comment that could hide others."""
    said = " ".join(redact(text).replace("<!--", "<\\!--").split())
    return said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
