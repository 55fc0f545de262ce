"""What each line of a note is, found by a scanner that agrees with CommonMark on blocks.

It differs on purpose in four places, each for the sake of notes that people and agents really
write: an entry heading ends a code fence that was never closed (CommonMark lets it swallow every
later entry of a log), a comment that was never closed is one line, `===` and `---` below text are
rules and not headings, and raw HTML other than comments is read as text.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from functools import lru_cache

from vademecum.core.patterns import later
from vademecum.markdown.lines import split


class Kind(enum.IntEnum):
    """What a line is."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    ITEM = 3
    TABLE = 4
    QUOTE = 5
    CODE = 6
    COMMENT = 7
    RULE = 8
    FRONTMATTER = 9


ENTRY_HEADING = later(r"#{1,4}[ \t]+\W{0,3}\d{1,2}:\d{2}\b")
ITEM = later(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\r?\n?\Z)")
_RULE = later(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)\r?\n?\Z")
_FENCE = later(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_DELIMITER = later(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?\n?\Z")
# Longer lines are text whatever they look like: patterns with neighbouring runs of blanks are only
# linear on lines of ordinary length.
_LONGEST_MARKUP = 2000


def heading_of(line: str) -> tuple[int, str] | None:
    """Return level and title of an ATX heading, None for any other line."""
    bare = line.lstrip(" ")
    text = bare.lstrip("#")
    level = len(bare) - len(text)
    spaced = not text or text[0] in " \t\r\n"
    if not (1 <= level <= 6 and spaced and len(line) - len(bare) <= 3):
        return None
    title = text.strip(" \t\r\n")
    opened = title.rstrip("#")
    if opened != title and (not opened or opened[-1] in " \t"):
        title = opened.rstrip(" \t")
    return level, title


@lru_cache(maxsize=1)
def outline(text: str, after: int) -> tuple[tuple[str, ...], tuple[Kind, ...]]:
    """Return the lines of a text and the kind of each, as `split` and `classify` do.

    The text asked last is remembered: to parse a note and to cut it into chunks takes both.
    """
    lines = tuple(split(text))
    return lines, tuple(classify(lines, after))


def classify(lines: Sequence[str], after: int = 0) -> list[Kind]:
    """Return the kind of every line; the first `after` lines are frontmatter."""
    kinds = [Kind.FRONTMATTER] * after
    number, count = after, len(lines)
    in_list = False
    while number < count:
        line = lines[number]
        bare = line.lstrip(" \t")
        kind = _kind_of(line, bare, kinds, in_list)
        if kind is Kind.CODE and (end := _end_of_fence(lines, number, in_list)):
            kinds.extend([Kind.CODE] * (end - number))
            number = end
            continue
        if kind is Kind.COMMENT:
            end = _end_of_comment(lines, number)
            kinds.extend([Kind.COMMENT] * (end - number))
            number = end
            continue
        if kind is Kind.ITEM:
            in_list = True
        elif in_list and kind is not Kind.BLANK and line is bare and kinds[-1] is Kind.BLANK:
            in_list = False
        kinds.append(kind)
        number += 1
    return kinds


def _kind_of(line: str, bare: str, kinds: list[Kind], in_list: bool) -> Kind:
    """Return what a line is by itself and by the kinds of the lines before it."""
    sign = bare[:1]
    test = _BY_SIGN.get(sign)
    previous = kinds[-1] if kinds else Kind.BLANK
    if len(line) - len(bare) >= 4 or line[:1] == "\t":
        if not in_list and previous in (Kind.BLANK, Kind.CODE, Kind.HEADING) and bare.strip():
            return Kind.CODE
        if sign == "#":
            return Kind.TEXT
    if test is None:
        return Kind.TABLE if previous is Kind.TABLE and "|" in line else Kind.TEXT
    return test(line, bare, kinds, in_list)


def _blank(_line: str, bare: str, _kinds: list[Kind], _in_list: bool) -> Kind:
    return Kind.TEXT if bare.strip() else Kind.BLANK


def _heading(line: str, _bare: str, _kinds: list[Kind], _in_list: bool) -> Kind:
    return Kind.HEADING if heading_of(line) else Kind.TEXT


def _fence(line: str, bare: str, _kinds: list[Kind], in_list: bool) -> Kind:
    return Kind.CODE if _opens_fence(line, bare, in_list) else Kind.TEXT


def _comment(line: str, bare: str, _kinds: list[Kind], _in_list: bool) -> Kind:
    opens = bare.startswith("<!--") and len(line) - len(bare) <= 3
    return Kind.COMMENT if opens else Kind.TEXT


def _bar(_line: str, _bare: str, _kinds: list[Kind], _in_list: bool) -> Kind:
    return Kind.TABLE


def _quote(_line: str, _bare: str, _kinds: list[Kind], _in_list: bool) -> Kind:
    return Kind.QUOTE


def _marker(line: str, _bare: str, kinds: list[Kind], _in_list: bool) -> Kind:
    if len(line) > _LONGEST_MARKUP:
        return Kind.ITEM if ITEM.match(line) else Kind.TEXT
    if "|" in line and kinds and kinds[-1] in (Kind.TEXT, Kind.TABLE) and _DELIMITER.match(line):
        kinds[-1] = Kind.TABLE
        return Kind.TABLE
    if _RULE.match(line):
        return Kind.RULE
    if ITEM.match(line):
        return Kind.ITEM
    return Kind.TABLE if kinds and kinds[-1] is Kind.TABLE and "|" in line else Kind.TEXT


_BY_SIGN = {
    "": _blank,
    "\n": _blank,
    "\r": _blank,
    "#": _heading,
    "`": _fence,
    "~": _fence,
    "<": _comment,
    "|": _bar,
    ">": _quote,
    **dict.fromkeys("-*+_=:0123456789", _marker),
}


def _opens_fence(line: str, bare: str, in_list: bool) -> re.Match[str] | None:
    if len(line) - len(bare) > 3 and not in_list:
        return None
    match = _FENCE.match(line)
    if match is None or (match[1][0] == "`" and "`" in match[2]):
        return None
    return match


def _end_of_fence(lines: Sequence[str], first: int, in_list: bool) -> int:
    """Return the number of the line after the fence that opens at `first`, or 0 for no fence.

    A fence that is never closed ends before the next entry heading, else with the note.
    """
    line = lines[first]
    opened = _opens_fence(line, line.lstrip(" \t"), in_list)
    if opened is None:
        return 0
    mark = opened[1]
    entry = 0
    for number in range(first + 1, len(lines)):
        if _is_closing(lines[number], mark, in_list):
            return number + 1
        if not entry and lines[number][:1] == "#" and ENTRY_HEADING.match(lines[number]):
            entry = number
    return entry or len(lines)


def closing_fence(lines: Sequence[str]) -> str:
    """Return the line that closes the code fence left open at the end, empty where none is."""
    number = 0
    kinds = classify(lines)
    while number < len(lines):
        line = lines[number]
        opened = None
        if kinds[number] is Kind.CODE:
            opened = _opens_fence(line, line.lstrip(" \t"), True)
        if opened is None:
            number += 1
            continue
        end = number + 1
        while end < len(lines) and not _is_closing(lines[end], opened[1], True):
            end += 1
        if end == len(lines):
            return opened[1]
        number = end + 1
    return ""


def _is_closing(line: str, mark: str, in_list: bool) -> bool:
    bare = line.strip()
    return (
        bare.startswith(mark)
        and not bare.strip(mark[0])
        and (in_list or len(line) - len(line.lstrip(" ")) <= 3)
    )


def _end_of_comment(lines: Sequence[str], first: int) -> int:
    """Return the number of the line after the comment; one that never closes is its line alone."""
    for number in range(first, len(lines)):
        if "-->" in lines[number]:
            return number + 1
    return first + 1
