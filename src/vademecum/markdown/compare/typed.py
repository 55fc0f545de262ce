"""Typed values in claims: dates, times, numbers and versions, spelled one way and told apart."""

from __future__ import annotations

import re
from functools import partial

from vademecum.core.patterns import later


def listed(words: str) -> tuple[str, ...]:
    """Read a word list kept as text, which stays readable where a list would fill a screen."""
    return tuple(words.split())


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january januar jan enero janvier",
            "february februar feb febrero février",
            "march märz mar marzo mars",
            "april apr abril avril",
            "may mai mayo",
            "june juni jun junio juin",
            "july juli jul julio juillet",
            "august aug agosto août",
            "september sep sept septiembre septembre",
            "october oktober oct okt octubre octobre",
            "november nov noviembre novembre",
            "december dezember dec dez diciembre décembre",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_WEEKDAYS = frozenset(
    listed(
        "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch "
        "donnerstag "
        "freitag samstag sonnabend sonntag lunes martes miércoles jueves viernes sábado "
        "domingo lundi "
        "mardi mercredi jeudi vendredi samedi dimanche today tomorrow heute morgen"
    )
)
_COUNTS = {
    word: number
    for number, words in enumerate(
        (
            "zero null cero zéro 零 〇",
            "one ein eine einen uno una un une 一",
            "two zwei dos deux 二 两 兩",
            "three drei tres trois 三",
            "four vier cuatro quatre 四",
            "five fünf cinco cinq 五",
            "six sechs seis 六",
            "seven sieben siete sept 七",
            "eight acht ocho huit 八",
            "nine neun nueve neuf 九",
            "ten zehn diez dix 十",
            "eleven elf once onze",
            "twelve zwölf doce douze",
        )
    )
    for word in words.split()
}
_DATES = (
    (later(r"\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b"), (1, 2, 3)),
    (later(r"(\d{4})年(\d{1,2})月(\d{1,2})[日号號]?"), (1, 2, 3)),
    (later(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"), (3, 2, 1)),
    (
        later(rf"\b{_DAY}(?: of| de)? {_MONTH}(?: de)?,? (\d{{4}})\b", re.I),
        (3, 2, 1),
    ),
    (later(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.I), (3, 1, 2)),
    (later(r"(?<!\d)(\d{1,2})月(\d{1,2})[日号號]"), (0, 1, 2)),
    (
        later(rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of| de)? {_MONTH}(?![\w-])", re.I),
        (0, 2, 1),
    ),
    (later(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.-])", re.I), (0, 1, 2)),
)
_CLOCKS = (
    later(r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))? ?(?P<half>[ap])\.?m\b\.?", re.I),
    later(r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? Uhr\b"),
    later(
        r"(?P<half>凌晨|早上|上午|下午|晚上|午前|午後)?"
        r"(?P<hour>\d{1,2})(?:点|點|时|時(?!間))(?:(?P<minute>\d{1,2})分|(?P<thirty>半))?"
    ),
)
_AFTERNOON = frozenset("pP") | {"下午", "晚上", "午後"}

_KINDS = (
    ("date", later(r"(?:\d{4}|-)-\d{2}-\d{2}")),
    ("time", later(r"\d{1,2}:\d{2}(?::\d{2})?")),
    ("number", later(r"[$€£¥]?[+-]?\d[\d,]*(?:\.\d+)?(?:%|[kKmMgGtT][bB]?|ms|s|h)?[$€£¥]?")),
    ("number", later(r"v?\d+(?:\.\d+)+(?:[-+.]?[\w.]+)?")),
    ("number", later(r"v\d+")),
)
_TEMPORAL = frozenset({"date", "time", "weekday", "month"})
_FILLERS = frozenset(
    listed(
        "on at in to by from until till the der die das den dem am um im ab bis zum el la "
        "los le les a "
        "à en um uhr から まで に 在 于 到 の より is 年 元 円 块 "
        "uhr"
    )
)
_CJK_WEEKDAY = later(
    r"(?:周|星期|礼拜|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|\d{1,2}月|"
    r"[一二三四五六七八九十]{1,2}月"
)


def _two(digits: str) -> str:
    return digits.zfill(2)


def _iso(match: re.Match[str], order: tuple[int, int, int]) -> str:
    year, month, day = (match.group(place) if place else "" for place in order)
    number = _MONTHS.get(month.lower()) or (int(month) if month.isdigit() else 0)
    if not 1 <= number <= 12 or not 1 <= int(day) <= 31:
        return match.group(0)
    return f"{year or '-'}-{number:02d}-{_two(day)}"


def _clock(match: re.Match[str]) -> str:
    found = match.groupdict()
    hour = int(found["hour"])
    if hour > 24:
        return match.group(0)
    half = found.get("half") or ""
    if half in _AFTERNOON and hour < 12:
        hour += 12
    if half and half in "aA" and hour == 12:
        hour = 0
    minute = "30" if found.get("thirty") else found.get("minute") or "00"
    return f"{hour:02d}:{_two(minute)}"


def spell_times(text: str) -> str:
    """Rewrite dates to ISO (``--MM-DD`` without a year) and clock times to ``HH:MM``."""
    if not any(character.isdigit() for character in text):
        return text
    for pattern, order in _DATES:
        text = pattern.sub(partial(_iso, order=order), text)
    for clock in _CLOCKS:
        text = clock.sub(_clock, text)
    return text


def kind_of(token: str) -> str:
    """Return date, time, number, weekday, month, or nothing for a token without a type."""
    for kind, pattern in _KINDS:
        if pattern.fullmatch(token):
            return kind
    lower = token.lower()
    if lower in _COUNTS:
        return "number"
    if lower in _WEEKDAYS or lower.rstrip("s") in _WEEKDAYS:
        return "weekday"
    if lower in _MONTHS:
        return "month"
    return "weekday" if _CJK_WEEKDAY.fullmatch(token) else ""


def kinds_of(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The types in a row of tokens, small words between them left out.

    Empty when any other token is without a type, so that only wholly typed values compare.
    """
    found = []
    for token in tokens:
        if token.lower() in _FILLERS:
            continue
        kind = kind_of(token)
        if not kind:
            return ()
        found.append(kind)
    return tuple(found)


def same_types(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    """Whether two values differ in typed parts only; days, dates and times count as one type.

    What both say around the number ("every 90 days", "every 30 days") is its unit.
    """
    while len(new) > 1 and len(old) > 1 and new[-1] == old[-1]:
        new, old = new[:-1], old[:-1]
    while len(new) > 1 and len(old) > 1 and new[0] == old[0]:
        new, old = new[1:], old[1:]
    first, second = kinds_of(new), kinds_of(old)
    if not first or not second:
        return False
    return first == second or (set(first) <= _TEMPORAL and set(second) <= _TEMPORAL)


def temporal(tokens: tuple[str, ...]) -> bool:
    """Whether a value is nothing but days, dates and times."""
    kinds = kinds_of(tokens)
    return bool(kinds) and set(kinds) <= _TEMPORAL
