"""What of a note still holds: its text without claims that were struck or superseded."""

from __future__ import annotations

import re

from vademecum.core.patterns import later

_SIGNS = ("~~", "superseded", "deprecated")
_STRUCK = later(r"[ \t]*(?:[-*+>]|\d+[.)])?[ \t]*~~.+~~[ \t]*(?:superseded\b.*)?\r?\n?\Z")
_STRUCK_ROW = later(r"[ \t]*\|[ \t]*~~.+?~~[ \t]*\||.*\|[ \t]*~~superseded~~[ \t]*\|", re.I)
_SUPERSEDED = later(r"[ \t]*>[ \t]*\[superseded\b[^\]]*\]", re.I)
_OBSERVED = later(r"[ \t]*<!--[ \t]*observed:[^>]*\bstatus:[ \t]*superseded\b[^>]*-->", re.I)
_MARK = later(r"[ \t]*>[ \t]*\[superseded\b|[ \t]*<!--[ \t]*observed:", re.I)
_BEGINS = later(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|#|[ \t]*[>|]|[ \t]*(?:~~)?\[[a-z]+\]", re.I)
_PAST_NOTE = later(
    r"(?m)^status:[ \t]*[\"']?(?:superseded|deprecated|replaced|obsolete|retracted)\b"
)


def living_text(path: str, text: str) -> str:
    """Return `text` without the lines that say what no longer holds, in any profile's spelling.

    Left out are struck claims and rows, claims that a note marks as superseded together with the
    mark, and everything of a note whose frontmatter says that it was superseded. Other lines are
    as they were.
    """
    folded = text.casefold()
    if not any(sign in folded for sign in _SIGNS):
        return text
    return _without_past(path, text)


def tells_the_past(text: str) -> bool:
    """Whether each line of `text` is one that a vault marks as superseded."""
    if "superseded" not in text.casefold():
        return False
    return all(_SUPERSEDED.match(line) for line in text.splitlines() if line.strip())


def without_frontmatter(text: str) -> str:
    """Return the text behind the frontmatter, all of it where there is none."""
    if not text.startswith("---"):
        return text
    from vademecum.markdown.lines import split  # noqa: PLC0415  few injected files are framed
    from vademecum.markdown.properties import block_end  # noqa: PLC0415  most texts have no frontmatter to look for

    lines = split(text)
    return "".join(lines[block_end(lines)[0] :])


def _without_past(path: str, text: str) -> str:
    from vademecum.markdown.lines import split  # noqa: PLC0415  most files hold nothing past
    from vademecum.markdown.properties import block_end  # noqa: PLC0415  most texts have no frontmatter to look for

    lines = split(text)
    framed = block_end(lines)[0]
    if _PAST_NOTE.search("".join(lines[:framed])):
        return ""
    past = _claims_past(path, lines, framed)
    for number, line in enumerate(lines[framed:], framed):
        struck = "~~" in line and (_STRUCK.match(line) or _STRUCK_ROW.match(line))
        if struck or _SUPERSEDED.match(line) or _OBSERVED.match(line):
            past.add(number)
    return "".join(line for number, line in enumerate(lines) if number not in past)


def _claims_past(path: str, lines: list[str], first: int) -> set[int]:
    """Return the lines of claims that do not hold any more.

    Where strikes are the only marks, only the items that hold one are read.
    """
    from vademecum.markdown.claims import (  # noqa: PLC0415  most injected files hold nothing past
        read_claims,
    )

    if any(_MARK.match(line) for line in lines):
        runs = [(0, len(lines))]
    else:
        struck = [number for number in range(first, len(lines)) if "~~" in lines[number]]
        runs = [_item_around(lines, number, first) for number in struck]
    past: set[int] = set()
    for start, stop in runs:
        for claim in read_claims(path, "".join(lines[start:stop])):
            if not claim.live:
                past.update(range(start + claim.span.first - 1, start + claim.span.last))
    return past


def _item_around(lines: list[str], number: int, first: int) -> tuple[int, int]:
    """Return where the item, or the paragraph, that holds a line begins and ends."""
    start = number
    while start > first and not _BEGINS.match(lines[start]) and lines[start - 1].strip():
        start -= 1
    stop = number + 1
    while stop < len(lines) and lines[stop].strip() and not _BEGINS.match(lines[stop]):
        stop += 1
    return start, stop
