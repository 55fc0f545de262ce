"""Entries of daily logs: read in the many spellings that logs have, written in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from vademecum.core.entries import Entry
from vademecum.core.forms import LogForm
from vademecum.core.ids import text_digest
from vademecum.core.notes import Span
from vademecum.core.patterns import later
from vademecum.markdown.lines import split
from vademecum.markdown.outline import ITEM, Kind, classify, closing_fence, heading_of
from vademecum.markdown.properties import read_properties

# Listed, since a title may begin with capitals as well: `10:00 API`.
_ZONES = (
    "UTC|GMT|Z|WES?T|CES?T|EES?T|BST|IST|MSK|TRT|[ECMPA][SD]T|AK[SD]T|HST|N[SD]T|BRT|JST|KST|SGT"
    "|HKT|PHT|WIB|ICT|PKT|GST|SAST|A[ECW][SD]T|NZ[SD]T"
)
_ZONE = rf"(?:[ \t]*(?:{_ZONES})(?:[+-]\d{{1,2}}(?::?\d{{2}})?)?|[ \t]*[+-]\d{{2}}:?\d{{2}})"
_CLOCK = (
    rf"(\d{{1,2}}):(\d{{2}})(?::\d{{2}})?(?!\d)(?:[ \t]*([AaPp])\.?[Mm]\b\.?)?(?:{_ZONE}(?![\w]))?"
)
_RANGE = rf"{_CLOCK}(?:[ \t]*(?:-|–|—|to|bis|~|〜)[ \t]*{_CLOCK})?"
_LEADING = later(
    rf"[*_`\s]*(?:\d{{4}}-\d{{2}}-\d{{2}}[T ,]*)?[~≈]?[ \t]*[(\[（【]?[~≈]?{_RANGE}[)\]）】]?[*_`]*"
    r"(?:[ \t]*[—–:：|·-]+)?[ \t]*"
)
_INSIDE = later(rf"[(\[（【@][ \t]*~?{_RANGE}[ \t]*[)\]）】]?")
_DAY = later(r"\W{0,4}(\d{4})-(\d{2})-(\d{2})\W*\Z")
_DEMOTED = 3


@dataclass(slots=True)
class _Opening:
    """Where an entry begins: its line from 0, its heading's level (7: a bullet), what it says."""

    line: int
    level: int
    day: date
    time: str
    title: str
    indent: int = 0
    """Blanks before a bullet: what stands further in is part of its entry."""


def read_entries(path: str, text: str, day: date) -> tuple[Entry, ...]:
    """Return the entries of the log of `day` in the order of the file; never raises.

    An entry begins at a heading that holds a clock time, at a heading below the day's that is not
    part of another entry, and, where no heading tells the time, at a bullet that begins with one.
    Times are given as `HH:MM` on the 24-hour clock, zones left out; a time no clock shows is none.
    A heading that is nothing but a date begins that day. Text outside of these is an entry too.
    """
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    openings = list(_openings(lines, kinds, day))
    entries = []
    for ordinal, opening in enumerate(openings):
        following = openings[ordinal + 1].line if ordinal + 1 < len(openings) else len(lines)
        entry = _entry(path, lines, kinds, opening, following)
        if entry is not None:
            entries.append(entry)
    return tuple(entries)


def _openings(lines: Sequence[str], kinds: Sequence[Kind], day: date) -> Iterator[_Opening]:
    current = _Opening(-1, 0, day, "", "")
    for number, line in enumerate(lines):
        kind = kinds[number]
        if kind is Kind.HEADING and (heading := heading_of(line)) is not None:
            opening = _at_heading(number, *heading, current)
        elif kind is Kind.ITEM and (not current.time or current.level == 7):
            opening = _at_item(number, line, current)
        elif current.line < 0 and kind not in (Kind.BLANK, Kind.FRONTMATTER, Kind.RULE):
            opening = _Opening(number, 0, day, "", "")
        else:
            continue
        if opening is not None:
            current = opening
            yield opening


def _at_heading(number: int, level: int, title: str, current: _Opening) -> _Opening | None:
    if (day := _day_of(title)) is not None:
        return _Opening(number, 0, day, "", "")
    time, rest = _time_of(title)
    if level == 1 and not time:
        return _Opening(number, 0, current.day, "", title)
    if time or level <= current.level or current.level in (0, 7):
        return _Opening(number, level, current.day, time, rest)
    return None


def _at_item(number: int, line: str, current: _Opening) -> _Opening | None:
    marker = ITEM.match(line)
    indent = len(line) - len(line.lstrip(" \t"))
    if current.level == 7 and indent > current.indent:
        return None
    found = _LEADING.match(line, marker.end() if marker else 0)
    time = _clock(found) if found else ""
    if found is None or not time:
        return None
    return _Opening(number, 7, current.day, time, line[found.end() :].strip(), indent)


def _time_of(title: str) -> tuple[str, str]:
    """Return the time a heading tells and the rest of it; no time leaves the heading whole."""
    found = _LEADING.match(title)
    if found and (time := _clock(found)):
        return time, title[found.end() :].strip()
    found = _INSIDE.search(title)
    if found and (time := _clock(found)):
        return time, " ".join((title[: found.start()] + title[found.end() :]).split()).strip(
            " -—–:"
        )
    return "", title


def _clock(found: re.Match[str]) -> str:
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else ""


def _day_of(title: str) -> date | None:
    found = _DAY.match(title)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def _entry(
    path: str, lines: Sequence[str], kinds: Sequence[Kind], opening: _Opening, stop: int
) -> Entry | None:
    while stop > opening.line and kinds[stop - 1] in (Kind.BLANK, Kind.RULE):
        stop -= 1
    headed = kinds[opening.line] is Kind.HEADING
    first = opening.line + (headed or opening.level == 7)
    body = "".join(lines[first:stop]).strip("\r\n")
    if opening.level == 0 and not body:
        return None
    digest = text_digest("".join(lines[opening.line : stop]).rstrip("\r\n"))
    span = Span(path, opening.line + 1, max(stop, opening.line + 1), digest)
    return Entry(opening.day, opening.time, opening.title, body, span)


def log_heading(day: date, *, framed: bool = False, form: LogForm = LogForm.HEADING) -> str:
    """Return what a new log begins with; `framed` puts the frontmatter of a bundle before it."""
    heading = f"# {day.isoformat()}\n"
    if form is LogForm.BULLET:
        heading += "\n"
    return f"---\ntype: log\n---\n\n{heading}" if framed else heading


def render_entry(time: str, title: str, body: str, form: LogForm = LogForm.HEADING) -> str:
    """Return an entry as it is appended: an empty line, `### HH:MM — Title`, the body, a newline.

    Nothing in the body can pass for another entry or swallow the next one: its headings are moved
    below the entry's own, one that tells a time or a date is escaped, an open code fence is closed.
    As a bullet, the entry is `- HH:MM Title` without an empty line, the body indented below it and
    its headings escaped; without a title the body begins in the line of the bullet.
    """
    flat = " ".join(title.split())
    text = body.replace("\r\n", "\n").strip("\n")
    if form is LogForm.BULLET:
        return _bullet(time, flat, text)
    heading = f"### {time}"
    if flat:
        heading += f" — {flat}"
    text = _contained(text)
    gap = "\n" if form is LogForm.SPACED else ""
    return f"\n{heading}\n{gap}{text}\n" if text.strip() else f"\n{heading}\n"


def form_of_log(text: str, form: LogForm) -> LogForm:
    """Return how an entry is appended to a log that holds `text`: a bullet is none below a heading
    that tells a time."""
    if form is not LogForm.BULLET:
        return form
    lines = split(text)
    last = ""
    for line, kind in zip(lines, classify(lines, read_properties(lines).last), strict=True):
        if kind is Kind.HEADING and (heading := heading_of(line)):
            last = _time_of(heading[1])[0]
    return LogForm.HEADING if last else form


def _bullet(time: str, title: str, body: str) -> str:
    lines = split(body)
    contained = [
        line.replace("#", "\\#", 1) if kind is Kind.HEADING else line
        for line, kind in zip(lines, classify(lines), strict=True)
    ]
    fence = closing_fence(lines)
    said = "".join(contained) + (f"\n{fence}" if fence else "")
    if not title and classify(lines)[:1] == [Kind.TEXT]:
        title, _, said = said.partition("\n")
    below = "".join(f"  {line}".rstrip() + "\n" for line in said.split("\n"))
    head = f"- {time} {title}".rstrip()
    return f"{head}\n{below.rstrip()}\n" if below.strip() else f"{head}\n"


def _contained(body: str) -> str:
    lines = split(body)
    contained = []
    for line, kind in zip(lines, classify(lines), strict=True):
        heading = heading_of(line) if kind is Kind.HEADING else None
        if heading is None:
            contained.append(line)
        elif _time_of(heading[1])[0] or _day_of(heading[1]):
            contained.append(line.replace("#", "\\#", 1))
        else:
            contained.append("#" * min(_DEMOTED, 6 - heading[0]) + line.lstrip(" "))
    fence = closing_fence(lines)
    return "".join(contained) + (f"\n{fence}" if fence else "")
