"""What a line says, without what memory wrote around it: tag, day, evidence, block id, strike."""

from __future__ import annotations

import re

from vademecum.core.patterns import later

_TAG = later(
    r"^(?P<mark>[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(?:~~)?"
    r"\[(?:stated|observed|inferred|suggested)\][ \t]*",
    re.IGNORECASE,
)
_PAST = later(r"~~[ \t]*(?:superseded|replaced|deprecated)\b.*$", re.IGNORECASE)
_ID = later(r"[ \t]\^[A-Za-z0-9-]{3,}[ \t]*$")
_SLOT = later(r"[ \t]*<!--[ \t]*slot:.*?-->")
_LINKS = r"(?:(?:,[ \t]*)?\[\[[^\[\]\n]*\]\])+"
_ASIDE = later(
    r"[ \t]\((?:(?:since[ \t]+|as of[ \t]+)?\d{4}-\d{2}-\d{2}"
    rf"(?:,[ \t]*from[ \t]+{_LINKS})?|(?:from[ \t]+)?{_LINKS})\)[ \t]*$"
)


def said(text: str) -> str:
    """Return a text without the provenance of its claims; any other line stays as it is.

    For what compares texts by what they say: a citation is often longer than the claim. A line that
    holds nothing else stays.
    """
    if "[" not in text and "^" not in text:
        return text
    return "\n".join(map(_said, text.split("\n")))


def _said(line: str) -> str:
    tag = _TAG.match(line)
    body = _ID.sub("", line)
    if tag is None and body == line and not _ASIDE.search(line):
        return line
    if tag is not None:
        body = tag["mark"] + body[tag.end() :]
    body = _ASIDE.sub("", _SLOT.sub("", _PAST.sub("", body)))
    return body if body.strip(" \t-*+") else line
