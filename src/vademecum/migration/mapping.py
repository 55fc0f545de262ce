"""Maps of a source: which of their lines only lead to notes, and what they tell of those."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence

from vademecum.core.frozen import dataclass
from vademecum.markdown.maps import MARKS, read_map
from vademecum.markdown.outline import Kind
from vademecum.markdown.wording import words_of
from vademecum.migration.bodies import Body

_SIGNS = "|-–—:*_~`()[]<>#•"


class Targets:
    """The files of a source by the ways in which a link may name them."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = set(paths)
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            name = path.rpartition("/")[2].casefold().removesuffix(".md")
            self._by_name.setdefault(name, []).append(path)

    def named(self, target: str, source: str) -> str:
        """Return the file that a link in `source` names, empty where none or several do."""
        bare = target.partition("#")[0].strip()
        folder = source.rpartition("/")[0]
        for spelled in (bare, f"{bare}.md"):
            for base in (folder, "") if not spelled.startswith("/") else ("",):
                path = posixpath.normpath(f"{base}/{spelled.lstrip('/')}".lstrip("/"))
                if path in self._paths:
                    return path
        name = bare.rpartition("/")[2].casefold().removesuffix(".md")
        found = self._by_name.get(name, [])
        return found[0] if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a map says: the lines (from 0) that a new map says as well, and descriptions by file."""

    lines: frozenset[int]
    said: Mapping[str, str]


def mapped(
    path: str,
    body: Body,
    kinds: Sequence[Kind],
    targets: Targets,
    head_of: Callable[[str], str],
) -> Mapped:
    """Return what the map at `path` says of notes that are taken too.

    `head_of` returns what a note says of itself: frontmatter and title. A line that says more than
    the note, and more than a description for it, is no mere map line.
    """
    lines: set[int] = set()
    said: dict[str, str] = {}
    for entry in read_map(body.text):
        target = targets.named(entry.target, path)
        if not target or target == path or entry.line < 1:
            continue
        head = head_of(target)
        lacks = "description:" not in head and target not in said
        covered = _words(head) | _words(entry.title) | _words(entry.target)
        if lacks:
            covered |= _words(entry.description)
        if _words(body.lines[entry.line - 1]) <= covered:
            lines.add(entry.line - 1)
            if lacks and entry.description:
                said[target] = entry.description
    return Mapped(frozenset(lines | _table_heads(kinds, lines)), said)


def _table_heads(kinds: Sequence[Kind], lines: set[int]) -> set[int]:
    """Return the first two lines of tables all of whose rows are map lines."""
    heads: set[int] = set()
    number = 0
    while number < len(kinds):
        stop = number
        while stop < len(kinds) and kinds[stop] is Kind.TABLE:
            stop += 1
        rows = set(range(number + 2, stop))
        if rows and rows <= lines:
            heads |= {number, number + 1}
        number = max(stop, number + 1)
    return heads


def _words(text: str) -> set[str]:
    for mark in MARKS:
        text = text.replace(mark, " ").replace(mark.rstrip("\ufe0f"), " ")
    for sign in _SIGNS:
        text = text.replace(sign, " ")
    return {word.strip(".,;\"'/") for word in words_of(text.replace("/", " ")).split()} - {"", "md"}
