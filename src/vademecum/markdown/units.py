"""The smallest pieces of a note that mean something: bullets, lines, paragraphs, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.core.patterns import later
from vademecum.markdown.outline import ITEM, Kind

_WHOLE = (Kind.QUOTE, Kind.CODE, Kind.COMMENT)
_ROWS = 400
"""Characters that rows of a table are grouped up to."""
OWN_COMMENTS = ("<!-- vade:", "<!-- /vade:")
"""How the markers begin that the product itself writes; they are never content."""
_STATUS = later(
    r"\s*<!--[ \t]*observed:[ \t]*\d{4}-\d{2}-\d{2}[ \t]*\|[ \t]*status:[ \t]*\w+[ \t]*-->\s*\Z",
    re.IGNORECASE,
)
"""The line above a directive; it says something of that one and nothing by itself."""


@dataclass(slots=True)
class Unit:
    """Lines `first` up to but without `stop`, counted from 0; `lead` is a table's header."""

    first: int
    stop: int
    text: str
    lead: str = ""


def units_of(
    lines: Sequence[str], kinds: Sequence[Kind], first: int, stop: int, by_line: bool
) -> list[Unit]:
    """Return the units of the lines `first` up to `stop`; `by_line` cuts paragraphs into lines."""
    units: list[Unit] = []
    number = first
    while number < stop:
        kind = kinds[number]
        if kind is Kind.BLANK or kind is Kind.RULE or kind is Kind.HEADING:
            number += 1
            continue
        if kind is Kind.TABLE:
            end = _run(kinds, number, stop, kind)
            units.extend(_rows(lines, number, end))
        elif kind is Kind.ITEM:
            end = _end_of_item(lines, kinds, number, stop)
            units.append(_unit(lines, number, end))
        elif kind is Kind.TEXT:
            end = number + 1 if by_line else _run(kinds, number, stop, kind)
            units.append(_unit(lines, number, end))
        else:
            end = _run(kinds, number, stop, kind)
            units.append(_unit(lines, number, end))
        number = end
    return [unit for unit in units if unit.text and not _is_mark(unit.text)]


def _is_mark(text: str) -> bool:
    return text.startswith(OWN_COMMENTS) or bool(_STATUS.match(text))


def _unit(lines: Sequence[str], first: int, stop: int) -> Unit:
    text = lines[first] if stop == first + 1 else "".join(lines[first:stop])
    text = text.rstrip("\r\n")
    return Unit(first, stop, text if text.strip() else "")


def _run(kinds: Sequence[Kind], first: int, stop: int, kind: Kind) -> int:
    number = first + 1
    while number < stop and kinds[number] is kind:
        number += 1
    return number


def _end_of_item(lines: Sequence[str], kinds: Sequence[Kind], first: int, stop: int) -> int:
    """Return where an item ends: continuation lines and an indented code fence belong to it."""
    marker = ITEM.match(lines[first])
    inner = marker.end() if marker else 2
    number = first + 1
    while number < stop:
        kind = kinds[number]
        if kind is Kind.TEXT or (kind in _WHOLE and _indent(lines[number]) >= min(inner, 2)):
            number += 1
        else:
            break
    return number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _rows(lines: Sequence[str], first: int, stop: int) -> Iterator[Unit]:
    """Yield groups of rows; the header is in the text of the first and in `lead` of the others."""
    header = 0
    if stop - first > 2 and not lines[first + 1].strip(" \t\r\n|:-"):
        header = 2
    lead = "".join(lines[first : first + header]).rstrip("\r\n")
    start, size = first, 0
    for number in range(first, stop):
        size += len(lines[number])
        if number + 1 == stop or (
            number >= first + header and size + len(lines[number + 1]) > _ROWS
        ):
            unit = _unit(lines, start, number + 1)
            unit.lead = lead if start > first else ""
            yield unit
            start, size = number + 1, 0
