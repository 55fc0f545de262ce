"""What of a note still holds: its text without claims that were struck or superseded."""

from __future__ import annotations

import re

from vademecum.core.patterns import later

_SIGNS = ("~~", "superseded", "deprecated")
_STRUCK = later(r"[ \t]*(?:[-*+>]|\d+[.)])?[ \t]*~~.+~~[ \t]*(?:superseded\b.*)?\r?\n?\Z")
_STRUCK_ROW = later(r"[ \t]*\|[ \t]*~~.+?~~[ \t]*\||.*\|[ \t]*~~superseded~~[ \t]*\|", re.I)
_SUPERSEDED = later(r"[ \t]*>[ \t]*\[superseded\b[^\]]*\]", re.I)
_OBSERVED = later(r"[ \t]*<!--[ \t]*observed:[^>]*\bstatus:[ \t]*superseded\b[^>]*-->", re.I)
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


def without_frontmatter(text: str) -> str:
    """Return the text behind the frontmatter, all of it where there is none."""
    if not text.startswith("---"):
        return text
    from vademecum.markdown.lines import split  # noqa: PLC0415  few injected files are framed
    from vademecum.markdown.properties import block_end  # noqa: PLC0415

    lines = split(text)
    return "".join(lines[block_end(lines)[0] :])


def _without_past(path: str, text: str) -> str:
    from vademecum.markdown.claims import (  # noqa: PLC0415  most injected files hold nothing past
        read_claims,
    )
    from vademecum.markdown.lines import split  # noqa: PLC0415
    from vademecum.markdown.properties import block_end  # noqa: PLC0415

    lines = split(text)
    framed = block_end(lines)[0]
    if _PAST_NOTE.search("".join(lines[:framed])):
        return ""
    past: set[int] = set()
    for claim in read_claims(path, text):
        if not claim.live:
            past.update(range(claim.span.first - 1, claim.span.last))
    for number, line in enumerate(lines[framed:], framed):
        struck = "~~" in line and (_STRUCK.match(line) or _STRUCK_ROW.match(line))
        if struck or _SUPERSEDED.match(line) or _OBSERVED.match(line):
            past.add(number)
    return "".join(line for number, line in enumerate(lines) if number not in past)
