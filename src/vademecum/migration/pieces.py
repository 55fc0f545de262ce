"""A file that tells an agent things, cut into pieces: what belongs together stays together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.frozen import dataclass
from vademecum.markdown.outline import ITEM, Kind, heading_of

GENERATED = "<!-- Composed at spawn"
"""What text begins with that nanoclaw's host makes anew at each start."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines from 0, `stop` not included, below these headings; `group` counts the sections that
    become a note each, from 0. A heading is a piece of its own, a blank line none."""

    first: int
    stop: int
    kind: Kind
    headings: tuple[str, ...]
    group: int


def pieces_of(lines: Sequence[str], kinds: Sequence[Kind]) -> tuple[Piece, ...]:
    """Return the pieces of a file; only blank lines and frontmatter are in none.

    An item goes with what is indented below it, and with the lines that follow it. Code, tables,
    quotes and comments are pieces too: `attached` says what they go with.
    """
    return tuple(_cut(lines, kinds, _note_level(lines, kinds)))


def attached(pieces: Sequence[Piece], lines: Sequence[str]) -> dict[int, int]:
    """Return, by the number of a piece, the piece with which it goes wherever that goes.

    What ends with a colon goes with what it introduces; code, a table or a quote with the piece
    before; a comment with the piece behind.
    """
    goes_with: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        before, behind = number - 1, number + 1
        if piece.kind in (Kind.CODE, Kind.TABLE, Kind.QUOTE, Kind.RULE):
            if _same_section(pieces, before, number) and not _is_import(pieces[before], lines):
                goes_with[number] = before
        elif _introduces(piece, lines) and _same_section(pieces, behind, number):
            if pieces[behind].kind in (Kind.ITEM, Kind.TEXT):
                goes_with[number] = behind
            elif pieces[behind].kind in (Kind.CODE, Kind.TABLE, Kind.QUOTE):
                continue  # that goes with this piece
    return goes_with


def _is_import(piece: Piece, lines: Sequence[str]) -> bool:
    """Whether a piece only names a file for a host to load, with which nothing goes."""
    return piece.stop == piece.first + 1 and lines[piece.first].lstrip().startswith("@")


def _introduces(piece: Piece, lines: Sequence[str]) -> bool:
    if piece.kind is Kind.COMMENT:
        return True
    last = lines[piece.stop - 1].rstrip()
    return piece.kind is Kind.TEXT and last[-1:] in (":", "：")


def _same_section(pieces: Sequence[Piece], other: int, number: int) -> bool:
    if not 0 <= other < len(pieces):
        return False
    one = pieces[other]
    return one.kind is not Kind.HEADING and one.headings == pieces[number].headings


def _note_level(lines: Sequence[str], kinds: Sequence[Kind]) -> int:
    """Return the level of the headings whose sections become a note each.

    A single heading of level 1 is the title of the whole.
    """
    levels = [
        found[0]
        for line, kind in zip(lines, kinds, strict=True)
        if kind is Kind.HEADING and (found := heading_of(line))
    ]
    if levels.count(1) == 1 and levels[0] == 1:
        levels = levels[1:]
    return min(levels, default=1)


def _cut(lines: Sequence[str], kinds: Sequence[Kind], level: int) -> Iterator[Piece]:
    above: list[tuple[int, str]] = []
    group, number = 0, 0
    while number < len(kinds):
        kind = kinds[number]
        if kind in (Kind.BLANK, Kind.FRONTMATTER):
            number += 1
            continue
        if kind is Kind.HEADING and (heading := heading_of(lines[number])):
            while above and above[-1][0] >= heading[0]:
                above.pop()
            above.append(heading)
            group += heading[0] == level
        stop = _end(lines, kinds, number)
        yield Piece(number, stop, kind, tuple(title for _, title in above), group)
        number = stop


def _end(lines: Sequence[str], kinds: Sequence[Kind], first: int) -> int:
    kind, stop = kinds[first], first + 1
    if kind is Kind.HEADING or kind is Kind.RULE:
        return stop
    if kind is Kind.ITEM:
        return _end_of_item(lines, kinds, first)
    while stop < len(kinds) and kinds[stop] is kind:
        stop += 1
    return stop


def _end_of_item(lines: Sequence[str], kinds: Sequence[Kind], first: int) -> int:
    """Return where an item ends: with the next one that is not indented below it."""
    marker = ITEM.match(lines[first])
    depth = _depth(lines[first])
    inside = depth + (2 if marker else 0)
    stop, end = first + 1, first + 1
    while stop < len(kinds):
        kind = kinds[stop]
        if kind is Kind.BLANK:
            stop += 1
            continue
        follows = kind is Kind.TEXT and end == stop
        if kind is Kind.HEADING or not (follows or _depth(lines[stop]) >= inside):
            break
        stop += 1
        end = stop
    return end


def _depth(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))
