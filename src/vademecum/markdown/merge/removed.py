"""A note that one side removed and the other changed: it stays, marked until somebody rules."""

from __future__ import annotations

from datetime import date

from vademecum.core.errors import MalformedFrontmatter
from vademecum.core.patterns import later
from vademecum.markdown.frontmatter import read, set_value
from vademecum.markdown.lines import newline_of, split

REMOVED = "one side removed this note and the other changed it"
_CALLOUT = later(r"[ \t]*>[ \t]*⚠️?[ \t]*REMOVED \(\d{4}-\d{2}-\d{2}\):")


def mark_removed(text: str, day: date) -> str:
    """Return the note with a callout below its frontmatter and `status: conflict`.

    One that is marked already stays as it is, as does frontmatter that cannot be read.
    """
    if removed_line(text):
        return text
    lines, end = split(text), newline_of(text)
    try:
        last = read(text).last
    except MalformedFrontmatter:
        last = 0
    below = lines[last:]
    callout = [f"> ⚠️ REMOVED ({day.isoformat()}): {REMOVED}; it stays until it is ruled{end}"]
    if last:
        callout.insert(0, end)
    if below and below[0].strip():
        callout.append(end)
    marked = "".join((*lines[:last], *callout, *below))
    try:
        return set_value(marked, "status", "conflict")
    except MalformedFrontmatter:
        return marked


def removed_line(text: str) -> int:
    """Return the number of the line that holds the callout, 0 where there is none."""
    if "REMOVED (" not in text:
        return 0
    return next((n for n, row in enumerate(split(text), start=1) if _CALLOUT.match(row)), 0)


def without_removed(text: str) -> str:
    """Return the note without the callout: it is ruled that the note stays."""
    number = removed_line(text)
    lines = split(text)
    if not number:
        return text
    del lines[number - 1]
    if 1 < number <= len(lines) and not lines[number - 1].strip() and not lines[number - 2].strip():
        del lines[number - 1]
    return "".join(lines)
