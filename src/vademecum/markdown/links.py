"""Links between notes: finding them in text, and finding the note that one points to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from vademecum.core.errors import AmbiguousTarget
from vademecum.core.notes import Link
from vademecum.core.patterns import later
from vademecum.markdown.outline import Kind

_WIKI = later(r"(?<!\\)\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|[^\[\]\n]*)?\]\]")
_INLINE = later(
    r"\]\([ \t]*(?:<([^<>\n]{1,1000})>"
    r"|([^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,4}))"
    r"(?:[ \t]{1,9}(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?[ \t]{0,9}\)"
)
_DEFINITION = later(r" {0,3}\[(?!\^)[^\[\]\n]{1,200}\]:[ \t]*<?([^\s<>]{1,1000})>?")
_SCHEME = later(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TICKS = later(r"`+")


def find_links(lines: Sequence[str], kinds: Sequence[Kind]) -> tuple[Link, ...]:
    """Return the links to other files in order of lines; none from code, none to other schemes.

    `kinds` is what `outline.classify` says of the same lines. An anchor keeps its `^` when it is a
    block id; a link within the note itself has an empty target.
    """
    found: list[Link] = []
    for number, line in enumerate(lines):
        if kinds[number] not in (Kind.CODE, Kind.COMMENT, Kind.FRONTMATTER):
            found.extend(links_in(line, number + 1))
    return tuple(found)


def links_in(line: str, number: int = 0) -> list[Link]:
    """Return the links of one line that is no code; `number` is what they say of where they are."""
    if "](" not in line and "[[" not in line and "]:" not in line:
        return []
    return _links_of(_without_code(line), number)


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


class Catalogue:
    """The notes that links can point to, by path, by file name and by what else they are called."""

    def __init__(
        self,
        names: Mapping[str, Iterable[str]],
        moved: Mapping[str, str] | None = None,
        days: Mapping[str, str] | None = None,
    ) -> None:
        """Take each note's path with its title and aliases.

        `moved` says where notes are now that links know by an earlier path, `days` which note a
        bare day (`2026-01-20`) means, whatever else has that name.
        """
        self._days = days or {}
        self._moved = {_key(old).removesuffix(".md"): new for old, new in (moved or {}).items()}
        self._paths = {_key(path): path for path in sorted(names, reverse=True)}
        self._exact = frozenset(names)
        self._by_name: dict[str, list[str]] = {}
        self._by_title: dict[str, list[str]] = {}
        for path in sorted(names):
            stem = _key(path.rpartition("/")[2]).removesuffix(".md")
            self._by_name.setdefault(stem, []).append(path)
            for title in {_key(title) for title in names[path]} - {"", stem}:
                self._by_title.setdefault(title, []).append(path)

    def at(self, path: str) -> str | None:
        """Return the note at `path`, with or without `.md`; a folder's is its index."""
        path = path.rstrip("/")
        for spelled in (path, f"{path}.md", f"{path}/index.md" if path else "index.md"):
            if spelled in self._exact:
                return spelled
        key = _key(path)
        for spelled in (key, f"{key}.md", f"{key}/index.md"):
            if spelled in self._paths:
                return self._paths[spelled]
        return None

    def ending(self, path: str) -> list[str]:
        """Return the notes whose path ends with these whole components."""
        key = _key(path).removesuffix(".md")
        name = key.rpartition("/")[2]
        return [
            known
            for known in self._by_name.get(name, ())
            if f"/{_key(known)}".removesuffix(".md").endswith(f"/{key}")
        ]

    def moved(self, path: str) -> list[str]:
        """Return the note that lay at `path` earlier."""
        new = self._moved.get(_key(path).removesuffix(".md"))
        return [] if new is None else [new]

    def of_day(self, name: str) -> str | None:
        """Return the note that a bare day means."""
        return self._days.get(name)

    def titled(self, title: str) -> list[str]:
        """Return the notes with that title or alias."""
        return list(self._by_title.get(_key(title), ()))


def candidates(target: str, from_path: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return every note that `target`, written in the note at `from_path`, may mean.

    The first of these that finds any decides: the log of a bare day; a path from the folder of the
    note, from the root, or (`/path`) from a folder above the note; the end of a path or a file's
    name; a title or alias; a path where a note lay before it was moved. Case and the encoding of
    accents do not matter.
    """
    folder = from_path.rpartition("/")[0]
    bare = target.strip()
    if not bare:
        return (from_path,)
    if (log := catalogue.of_day(bare)) is not None:
        return (log,)
    for path in _paths_meant(bare, folder):
        found = catalogue.at(path)
        if found is not None:
            return (found,)
    named = catalogue.ending(bare.strip("/")) or catalogue.titled(bare)
    if named:
        return tuple(named)
    earlier = (new for path in _paths_meant(bare, folder) for new in catalogue.moved(path))
    return tuple(dict.fromkeys(earlier))[:1]


def resolve(target: str, from_path: str, catalogue: Catalogue) -> str | None:
    """Return the path of the note that `target` points to, None where there is none.

    Raises AmbiguousTarget when several answer to it (`candidates` tells which).
    """
    found = candidates(target, from_path, catalogue)
    if len(found) > 1:
        raise AmbiguousTarget(
            f"{target} may mean {len(found)} notes.", hint=f"Write one of: {', '.join(found[:8])}."
        )
    return found[0] if found else None


def _paths_meant(target: str, folder: str) -> list[str]:
    above = [folder]
    while above[-1]:
        above.append(above[-1].rpartition("/")[0])
    if target.startswith("/"):
        return [_joined(base, target) for base in reversed(above)]
    paths = [_joined(folder, target)]
    if not target.startswith("."):
        paths.append(_joined("", target))
    return paths


def _joined(folder: str, target: str) -> str:
    """Return the path `target` is from `folder`; one that climbs out of the root is nobody's."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == ".." and not parts:
            return "\0"
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip()).casefold()
