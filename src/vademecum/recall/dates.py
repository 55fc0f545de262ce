"""Days that a question names, in eight languages, held against the day of an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.recall.calendars import (
    AMBIGUOUS,
    ASIAN_NUMBERS,
    ASIAN_PARTS,
    MONTHS,
    PARTS,
    PREPOSITIONS,
    RELATIVE,
)

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_WORDED = later(
    rf"(?:\b(?P<part>{'|'.join(PARTS)})[ -]+(?:of +)?)?"
    r"(?:\b(?P<before>\d{1,2})(?:st|nd|rd|th|er|\.)? +(?:of |de )?)?"
    rf"\b(?P<month>{_NAMES})\b\.?"
    r"(?: +(?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?"
    rf"(?:,? *(?:of |in |de )?{_YEAR}\b)?",
    re.IGNORECASE,
)
_ISO = later(rf"(?<!\d){_YEAR}-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?(?!\d)")
_ASIAN = later(
    rf"(?:{_YEAR}\s*[年년]\s*)?"
    r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s*[月월]份?"
    rf"(?:\s*(?:(?P<day>\d{{1,2}})\s*[日号號일]|(?P<part>{'|'.join(ASIAN_PARTS)})))?"
)
_BARE_YEAR = later(rf"(?<![\d.-]){_YEAR}(?![\d-]|\.\d)")
_RELATIVE = later(
    "|".join(
        phrase if ord(phrase[0]) > 0x2E80 else rf"\b{phrase}\b"
        for phrase in sorted(RELATIVE, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_LONGEST_BETWEEN = 400


@dataclass(frozen=True, slots=True)
class Monthly:
    """Days `first` to `last` of a month, in `year` or in any; a whole month is 1 to 31."""

    month: int
    first: int = 1
    last: int = 31
    year: int | None = None

    def closeness(self, day: date) -> float:
        """Return 1 on the days meant, ½ beside them or elsewhere in the month, else 0."""
        if self._holds(day):
            return 1.0
        beside = self._holds(day - timedelta(1)) or self._holds(day + timedelta(1))
        return 0.5 if self.partial and (beside or self._in_month(day)) else 0.0

    @property
    def partial(self) -> bool:
        """Whether less than the whole month is meant."""
        return (self.first, self.last) != (1, 31)

    @property
    def exact(self) -> bool:
        """Whether one day is meant."""
        return self.first == self.last

    def phrases(self) -> tuple[tuple[str, ...], ...]:
        """Return what the ISO day of an entry that is meant holds, as runs of its parts."""
        year = (f"{self.year:04}",) if self.year else ()
        return ((*year, f"{self.month:02}"),)

    def _in_month(self, day: date) -> bool:
        return day.month == self.month and self.year in (None, day.year)

    def _holds(self, day: date) -> bool:
        return self._in_month(day) and self.first <= day.day <= self.last


@dataclass(frozen=True, slots=True)
class Between:
    """The days from `first` to `last`."""

    first: date
    last: date

    def closeness(self, day: date) -> float:
        """Return 1 on the days meant, ½ on the days beside them, else 0."""
        if self.first <= day <= self.last:
            return 1.0
        return 0.5 if self.first - timedelta(1) <= day <= self.last + timedelta(1) else 0.0

    @property
    def exact(self) -> bool:
        """Whether one day is meant."""
        return self.first == self.last

    def phrases(self) -> tuple[tuple[str, ...], ...]:
        """Return what the ISO day of an entry that is meant holds, as runs of its parts."""
        days = (self.last - self.first).days + 1
        steps = (self.first + timedelta(step) for step in range(min(days, _LONGEST_BETWEEN)))
        return tuple(dict.fromkeys((f"{day:%Y}", f"{day:%m}") for day in steps))


@dataclass(frozen=True, slots=True)
class Year:
    """A year without a month: too wide to move a hit, but a note of that year may be meant."""

    year: int

    exact = False

    def closeness(self, day: date) -> float:
        """Return 0: half of all entries are of the year that is asked about."""
        del day
        return 0.0

    def phrases(self) -> tuple[tuple[str, ...], ...]:
        """Return nothing: a year selects no candidates."""
        return ()


When = Monthly | Between | Year


def days_named(text: str, today: date) -> tuple[When, ...]:
    """Return the days that `text` names, each once; `today` gives relative words their meaning."""
    folded = text.casefold()
    found = list(dict.fromkeys(_months(text, folded)))
    if any(phrase in folded for phrase in RELATIVE):
        named = (match[0].casefold() for match in _RELATIVE.finditer(text))
        found += [_relative(phrase, today) for phrase in named if phrase in RELATIVE]
    if not found:
        found += [Year(int(match["year"])) for match in _BARE_YEAR.finditer(text)]
    return tuple(dict.fromkeys(found))


def _months(text: str, folded: str) -> Iterator[When]:
    taken: list[tuple[int, int]] = []
    # Few questions name a month, and the pattern of all names takes long to compile.
    worded = any(name in folded for name in MONTHS)
    ways = ((_ISO, _read_iso), (_ASIAN, _read_asian), (_WORDED, _read_worded))
    for pattern, read in ways if worded else ways[:2]:
        for match in pattern.finditer(text):
            start, end = match.span()
            when = read(match, text)
            if when is not None and not any(a < end and start < b for a, b in taken):
                taken.append((start, end))
                yield when


def _monthly(month: int, year: str | None, day: str | None, part: tuple[int, int] | None) -> When:
    number = int(year) if year else None
    if day and 1 <= int(day) <= 31:
        return Monthly(month, int(day), int(day), number)
    return Monthly(month, *(part or (1, 31)), year=number)


def _read_iso(match: re.Match[str], text: str) -> When:
    del text
    return _monthly(int(match["month"]), match["year"], match["day"], None)


def _read_asian(match: re.Match[str], text: str) -> When:
    del text
    written = match["month"]
    month = ASIAN_NUMBERS.get(written) or int(written)
    part = ASIAN_PARTS[match["part"]] if match["part"] else None
    return _monthly(month, match["year"], match["day"], part)


def _read_worded(match: re.Match[str], text: str) -> When | None:
    name, day = match["month"].casefold(), match["before"] or match["after"]
    if name not in MONTHS:
        return None  # spelled with a Turkish i, which a pattern without case takes for an i
    if name in AMBIGUOUS and not (day or match["year"] or match["part"]):
        led = text[: match.start()].split()
        if not led or led[-1].casefold() not in PREPOSITIONS:
            return None
    part = PARTS.get(match["part"].casefold()) if match["part"] else None
    return _monthly(MONTHS[name], match["year"], day, part)


def _relative(phrase: str, today: date) -> When:
    first, last = RELATIVE[phrase]
    if first == "week":
        monday = today - timedelta(today.weekday()) + timedelta(7 * last)
        return Between(monday, monday + timedelta(6))
    if first == "month":
        month = today.year * 12 + today.month - 1 + last
        return Monthly(month % 12 + 1, year=month // 12)
    day = today + timedelta(last)
    return Between(day, day)
