"""The entry that a map has for a note: its title, its description, how it stands."""

from __future__ import annotations

from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import split
from vademecum.markdown.maps import MapEntry
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.standing import PAST

CONFLICT_MARK = "🔀"
_PRIORITIES = {
    "core": "🔴",
    "important": "🟡",
    "reference": "⚪",
    "🔴": "🔴",
    "🟡": "🟡",
    "⚪": "⚪",
}


def entry_of(path: str, target: str, text: str) -> MapEntry:
    """Return the line a map has for a note."""
    properties = read(text)
    title = properties.text("title") or _first_heading(text) or target.removesuffix(".md")
    claims = read_claims(path, text)
    status = properties.text("status").casefold()
    priority = properties.text("priority").casefold()
    mark = priority if priority in _PRIORITIES.values() else _PRIORITIES.get(priority, "")
    if status == "conflict":
        mark += CONFLICT_MARK
    past = status in PAST or (bool(claims) and not any(claim.live for claim in claims))
    return MapEntry(target, title, properties.text("description"), mark, struck=past)


def _first_heading(text: str) -> str:
    lines = split(text)
    for line, kind in zip(lines, classify(lines, read(text).last), strict=True):
        if kind is Kind.HEADING and (found := heading_of(line)):
            return found[1]
    return ""
