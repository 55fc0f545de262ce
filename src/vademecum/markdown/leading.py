"""Where the links of a note lead, as plain links at its end: for readers without wikilinks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote as percent_quoted

from vademecum.core.patterns import later

BEGIN = "<!-- vade:links (where links above lead, for readers of plain links) -->"
END = "<!-- /vade:links -->"
_BEGIN = later(r"<!-- vade:links\b[^>]*-->\s*\Z")
_ROW = later(r"- \[[^\[\]\n]*\]\([^()\s]+\)\s*\Z")
_SAFE = "/._-~!$&'*+,;=:@"
_SIGNS = '()<>#%?"\\'


def path_written(path: str) -> str:
    """Return a relative path as it stands between the parentheses of a link."""
    if any(sign in _SIGNS or sign.isspace() for sign in path):
        return percent_quoted(path, safe=_SAFE)
    return path


def label_written(text: str) -> str:
    """Return a text as it stands between the brackets of a link."""
    return " ".join(text.split()).replace("[", "(").replace("]", ")")


def links_block(lines: Sequence[str]) -> tuple[int, int] | None:
    """Return the lines of the block at the end of a note, from 0, the blank one before it too.

    None where there is none, or something else stands in it.
    """
    stop = len(lines)
    while stop and not lines[stop - 1].strip():
        stop -= 1
    if not stop or lines[stop - 1].strip() != END:
        return None
    first = stop - 2
    while first >= 0 and _ROW.match(lines[first]):
        first -= 1
    if first < 0 or not _BEGIN.match(lines[first]):
        return None
    if first and not lines[first - 1].strip():
        first -= 1
    return first, len(lines)


def render_links(links: Iterable[tuple[str, str]], newline: str = "\n") -> str:
    """Return the block for pairs of a label and a relative path; empty without any."""
    rows = [f"- [{label_written(label)}]({path_written(path)})" for label, path in links]
    return newline.join([BEGIN, *rows, END, ""]) if rows else ""
