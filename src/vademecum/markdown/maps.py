"""Maps: index files that lead to notes, with a part the product keeps and a part that is yours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import quote as percent_quoted

from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.links import links_in
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.properties import read_properties

BEGIN = "<!-- vade:map (kept in step by vade; write outside these two lines) -->"
END = "<!-- /vade:map -->"
_BEGIN = re.compile(r"[ \t]*<!--[ \t]*vade:map\b[^>]*-->\s*\Z")
_END = re.compile(r"[ \t]*<!--[ \t]*/vade:map[ \t]*-->\s*\Z")
_LABEL = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]|\[([^\[\]]*)\]\(")
_AFTER = re.compile(
    r"(?:\]\]|\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:[ \t]+\"[^\"]*\")?\)|>\))[*_~` \t]*"
)
_DASH = re.compile(r"(?:[-–—:：]+)[ \t]*")
_SAFE_IN_PATHS = "/._-~!$&'*+,;=:@"
MARKS = ("🔴", "🟡", "⚪", "✅", "⚠️", "🔀")


@dataclass(frozen=True, slots=True)
class MapEntry:
    """One line of a map."""

    target: str
    """As written: a path relative to the map, or a wikilink's name."""
    title: str
    description: str = ""
    marks: str = ""
    """Priority and status signs, without blanks between them."""
    group: str = ""
    """The heading it stands under."""
    line: int = 0
    """In the file that was read, 0 for one that is to be written."""
    generated: bool = False
    struck: bool = False


def read_map(text: str) -> tuple[MapEntry, ...]:
    """Return the entries of a map in order, from bullets and tables, links of either kind.

    A bullet without a link and prose are nothing; of a bullet's links the first counts.
    """
    lines = split(text)
    own = _generated_range(lines)
    group = ""
    entries = []
    for number, kind in enumerate(classify(lines, read_properties(lines).last)):
        if kind is Kind.HEADING and (heading := heading_of(lines[number])):
            group = heading[1]
        if kind not in (Kind.ITEM, Kind.TABLE):
            continue
        found = _read_line(lines[number], in_table=kind is Kind.TABLE)
        if found is not None:
            generated = own is not None and own[0] < number < own[1]
            target, title, description, marks, struck = found
            entries.append(
                MapEntry(target, title, description, marks, group, number + 1, generated, struck)
            )
    return tuple(entries)


@lru_cache(maxsize=4096)  # a write changes one line of a map, and reads all of it
def _read_line(line: str, *, in_table: bool) -> tuple[str, str, str, str, bool] | None:
    """Return target, title, description, marks of a line and whether it is struck.

    None for a line without a link.
    """
    links = links_in(line)
    if not links:
        return None
    before, title, rest = _parted(line)
    description, marks = _described(rest, before, in_table=in_table)
    return links[0].target, title or links[0].target, description, marks, "~~" in line


def _parted(line: str) -> tuple[str, str, str]:
    """Return what stands before the link of a line, its label, and what stands behind it."""
    label = _LABEL.search(line)
    title = ((label[1] or label[2] or "").strip() if label else "").strip("*_")
    after = _AFTER.search(line, label.start() if label else 0)
    return line[: label.start()] if label else "", title, line[after.end() :] if after else ""


def _described(rest: str, before: str, *, in_table: bool) -> tuple[str, str]:
    around = before + rest
    marks = "".join(mark for mark in MARKS if mark.rstrip("\ufe0f") in around)
    for mark in MARKS:
        rest = rest.replace(mark, "").replace(mark.rstrip("\ufe0f"), "")
    if in_table:
        cells = [cell.strip() for cell in rest.strip().strip("|").split("|")]
        return next((cell for cell in reversed(cells) if cell), ""), marks
    return _DASH.sub("", rest.strip(), count=1).strip(), marks


def render_line(entry: MapEntry) -> str:
    """Return the line of one entry: `- [Title](path.md) - description 🔴✅`, without a line end."""
    title = " ".join(entry.title.split()).replace("[", "(").replace("]", ")")
    path = (
        percent_quoted(entry.target, safe=_SAFE_IN_PATHS)
        if _needs_quoting(entry.target)
        else entry.target
    )
    link = f"[{title}]({path})"
    line = f"- ~~{link}~~" if entry.struck else f"- {link}"
    description = " ".join(entry.description.split())
    if description:
        line += f" - {description}"
    return f"{line} {entry.marks}" if entry.marks else line


def _needs_quoting(path: str) -> bool:
    return any(sign in '()<>#%?"\\' or sign.isspace() for sign in path)


def render_map(text: str, entries: Iterable[MapEntry]) -> str:
    """Return the map `text` with its generated part made of `entries`, in the order given.

    What stands outside the two markers stays byte by byte; markers that are missing are put at the
    end, broken ones (`markers_defect`) leave the map as it is. An entry whose target the part
    written by hand already leads to is left to it. Entries with a group are gathered under a
    heading of level 3.
    """
    lines = split(text)
    line_end = newline_of(text)
    written = {entry.target for entry in read_map(text) if not entry.generated}
    body = [line + line_end for line in _generated([e for e in entries if e.target not in written])]
    own = _generated_range(lines)
    if own is None and markers_defect(text):
        return text
    if own is not None:
        return "".join([*lines[: own[0] + 1], *body, *lines[own[1] :]])
    gap = [] if not lines else [line_end] if lines[-1].endswith("\n") else [line_end, line_end]
    if lines and not lines[-1].strip():
        gap = []
    return "".join([*lines, *gap, BEGIN + line_end, *body, END + line_end])


def markers_defect(text: str) -> str:
    """Return what is wrong with the two markers of a map, empty for a pair and for none."""
    lines = split(text)
    if _generated_range(lines) or not any(_BEGIN.match(line) or _END.match(line) for line in lines):
        return ""
    return "the markers of its generated part are no pair in order"


def _generated(entries: Sequence[MapEntry]) -> Iterator[str]:
    for group in dict.fromkeys(entry.group for entry in entries):
        if group:
            yield f"### {group}"
        for entry in entries:
            if entry.group == group:
                yield render_line(entry)


def _generated_range(lines: Sequence[str]) -> tuple[int, int] | None:
    """Return the lines of both markers from 0, None unless there is one pair in order."""
    begin = [number for number, line in enumerate(lines) if _BEGIN.match(line)]
    end = [number for number, line in enumerate(lines) if _END.match(line)]
    if len(begin) == 1 and len(end) == 1 and begin[0] < end[0]:
        return begin[0], end[0]
    return None
