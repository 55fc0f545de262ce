"""An index of topics as Claude Code keeps it: `- [Title](file.md) — hook`, a line each."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.patterns import later
from vademecum.markdown.leading import label_written, path_written
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.links import find_links
from vademecum.markdown.maps import MapEntry
from vademecum.markdown.outline import Kind, classify
from vademecum.markdown.properties import read_properties

LINES = 200
"""As many of an index are loaded."""
_LONGEST = 150
_LINE = later(r"[-*] \[[^\[\]\n]+\]\((?![a-z]+:)[^()\s]+\.md\)(?:[ \t]+([—–-])[ \t].*)?\s*\Z")
_OTHER = (Kind.BLANK, Kind.HEADING)


def is_topic_index(text: str) -> bool:
    """Whether a text is such an index, and has room for a line more: nothing else stands in it."""
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    rows = [line for line, kind in zip(lines, kinds, strict=True) if kind not in _OTHER]
    return bool(rows) and all(_LINE.match(line) for line in rows) and len(lines) < LINES


def put_topic(text: str, entry: MapEntry, leads: Callable[[str], bool]) -> str:
    """Return the index with a line for a note; one that leads there already stays as it is."""
    if _leading(text, leads):
        return text
    lines = split(text)
    end = newline_of(text)
    dashes = [found[1] for line in lines if (found := _LINE.match(line)) and found[1]]
    dash = max(dashes, key=dashes.count) if dashes else "—"
    line = f"- [{label_written(entry.title)}]({path_written(entry.target)})"
    if hook := " ".join(entry.description.split()):
        line = f"{line} {dash} {hook}"
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1].rstrip() + "…"
    at = max(number for number, each in enumerate(lines) if _LINE.match(each)) + 1
    before = lines[at - 1]
    lines[at - 1] = before if before.endswith("\n") else before + end
    return "".join([*lines[:at], line + end, *lines[at:]])


def drop_topic(text: str, leads: Callable[[str], bool]) -> str:
    """Return the index without the lines that lead to a note."""
    gone = _leading(text, leads)
    return "".join(line for number, line in enumerate(split(text)) if number not in gone)


def _leading(text: str, leads: Callable[[str], bool]) -> set[int]:
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    return {link.line - 1 for link in find_links(lines, kinds) if leads(link.target)}
