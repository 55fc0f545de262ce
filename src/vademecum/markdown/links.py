"""Links between notes: finding them in text, and finding the note that one points to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from vademecum.core.notes import Link
from vademecum.markdown.outline import Kind

_WIKI = re.compile(r"(?<!\\)\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|[^\[\]\n]*)?\]\]")
_INLINE = re.compile(
    r"\]\([ \t]*(?:<([^<>\n]{1,1000})>"
    r"|([^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,4}))"
    r"(?:[ \t]{1,9}(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?[ \t]{0,9}\)"
)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]\n]{1,200}\]:[ \t]*<?([^\s<>]{1,1000})>?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TICKS = re.compile(r"`+")


def find_links(lines: Sequence[str], kinds: Sequence[Kind]) -> tuple[Link, ...]:
    """Return the links to other files in order of lines; none from code, none to other schemes.

    `kinds` is what `outline.classify` says of the same lines. An anchor keeps its `^` when it is a
    block id; a link within the note itself has an empty target.
    """
    found: list[Link] = []
    for number, line in enumerate(lines):
        if "](" not in line and "[[" not in line and "]:" not in line:
            continue
        if kinds[number] in (Kind.CODE, Kind.COMMENT, Kind.FRONTMATTER):
            continue
        found.extend(_links_of(_without_code(line), number + 1))
    return tuple(found)


def _links_of(line: str, number: int) -> list[Link]:
    links = []
    if "[[" in line:
        for match in _WIKI.finditer(line):
            target, anchor = match[1].strip().rstrip("\\"), (match[2] or "").strip().rstrip("\\")
            if target or anchor:
                links.append((match.start(), Link(target, anchor, number, wiki=True)))
    if "](" in line:
        for match in _INLINE.finditer(line):
            link = _markdown_link(match[1] or match[2], number)
            if link is not None:
                links.append((match.start(), link))
    if "]:" in line and (definition := _DEFINITION.match(line)):
        link = _markdown_link(definition[1], number)
        if link is not None:
            links.append((0, link))
    return [link for _, link in sorted(links, key=lambda pair: pair[0])]


def _markdown_link(destination: str, number: int) -> Link | None:
    if _SCHEME.match(destination) or destination.startswith("//"):
        return None
    target, _, anchor = destination.partition("#")
    if not target and not anchor:
        return None
    return Link(unquote(target), unquote(anchor), number, wiki=False)


def _without_code(line: str) -> str:
    """Return the line with its code spans blanked, so that columns stay."""
    if "`" not in line:
        return line
    pieces, at = [], 0
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(line)]
    closers: dict[int, list[int]] = {}
    for ordinal in range(len(runs) - 1, -1, -1):
        closers.setdefault(runs[ordinal][1] - runs[ordinal][0], []).append(ordinal)
    ordinal = 0
    while ordinal < len(runs):
        start, end = runs[ordinal]
        waiting = closers[end - start]
        while waiting and waiting[-1] <= ordinal:
            waiting.pop()
        if waiting:
            close = waiting.pop()
            stop = runs[close][1]
            pieces += [line[at:start], " " * (stop - start)]
            at, ordinal = stop, close
        ordinal += 1
    return "".join(pieces) + line[at:]
