"""Exact lines of one file: which file and lines a target names, and how much of them is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from vademecum.core.errors import AmbiguousTarget, BadInput, InvalidPath, NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role, Span

LINES = 120
CHARACTERS = 12_000

_RANGE = re.compile(r"(?P<name>.+):(?P<first>[0-9]{1,9})(?:(?P<dash>-)(?P<last>[0-9]{1,9})?)?\Z")
_LISTED = 8
"""Names that a refusal lists."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of one file as they are on disk.

    An empty file has an empty text and `span.last` 0.
    """

    span: Span
    """What is given; its digest is that of the lines."""
    text: str
    content: bytes
    """The bytes that `text` was read from."""
    total: int
    """Lines that the file has."""
    following: Span | None
    """What was asked for or comes after it and is not given; None at the end."""
    cut: bool
    """The last line given is longer than the limit and is not given whole."""
    digest: str
    """Of the whole file: what an edit is based on."""
    defect: str = ""
    """What of the file is not text."""
    origin: str = ""
    """The agent whose memory it is from; empty: this one's own. Paths then begin with it."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a caller wants to read: a path, title or name, with an anchor or a range of lines."""

    name: str
    anchor: str = ""
    first: int | None = None
    last: int | None = None
    open_end: bool = False
    """A first line without a last one: the bounds say how much follows."""


def readings(text: str) -> tuple[Target, ...]:
    """Return every way in which `text` can be meant, the likeliest first.

    `NAME:3-7`, `NAME:3` (one line), `NAME:3-`, `NAME#Heading`, `NAME#^id`, and any of them in
    double brackets, with or without an alias. Raises BadInput for a range that no file can have.
    """
    inner = text.strip()
    if inner.startswith("[[") and inner.endswith("]]"):
        inner = inner[2:-2].partition("|")[0].strip()
    if not inner:
        raise BadInput("There is nothing to read: the path is empty.", hint="Name a file or title.")
    found = []
    if match := _RANGE.fullmatch(inner):
        found.append(_ranged(match))
    found.append(Target(inner))
    name, _, anchor = inner.partition("#")
    if anchor and name:
        found.append(Target(name.strip(), anchor=anchor.strip()))
    return tuple(found)


def _ranged(match: re.Match[str]) -> Target:
    first = int(match["first"])
    last = int(match["last"]) if match["last"] else None
    if first < 1 or (last is not None and last < first):
        raise BadInput(
            f"{match[0]} names no lines of a file.",
            hint="Lines count from 1, and the last one is not before the first.",
        )
    open_end = bool(match["dash"]) and last is None
    return Target(
        match["name"].strip(), first=first, last=last if match["dash"] else first, open_end=open_end
    )


def find(
    text: str,
    read: Callable[[str], bytes],
    catalogue: Callable[[], Iterable[tuple[str, str]]],
    archived: Callable[[str], Sequence[str]] = lambda _: (),
    logs: Callable[[str], Sequence[str]] = lambda _: (),
) -> tuple[str, bytes, Target]:
    """Return path, content and reading of the one file that `text` names.

    `read` takes a path; `catalogue` gives path and title of every note, and each alias, and is
    asked only where no path fits; `archived` gives the archived notes that a name means, where no
    other note does; `logs` where the log lies that a bare day means, whatever else is called so.
    Raises NoteNotFound, AmbiguousTarget, InvalidPath, Unreadable.
    """
    ways = readings(text)
    invalid: InvalidPath | None = None
    for way in ways:
        for path in (way.name, f"{way.name}.md", *logs(way.name)):
            try:
                return path, read(path), way
            except NoteNotFound:
                continue
            except InvalidPath as error:
                invalid = invalid or error
    notes = tuple(catalogue())
    for way, paths in _meant(ways, notes, archived):
        if len(paths) > 1:
            listed = ", ".join(paths[:_LISTED]) + (", …" if len(paths) > _LISTED else "")
            raise AmbiguousTarget(
                f"{len(paths)} notes answer to {way.name!r}.", hint=f"Name one by path: {listed}."
            )
        if paths:
            return paths[0], read(paths[0]), way
    if invalid is not None:
        raise invalid
    raise NoteNotFound(
        f"No file, title or link answers to {ways[-1].name!r}.",
        hint="Paths are relative to the workspace; `vade search` finds notes by their content.",
    )


def _meant(
    ways: Sequence[Target],
    notes: Sequence[tuple[str, str]],
    archived: Callable[[str], Sequence[str]],
) -> Iterator[tuple[Target, Sequence[str]]]:
    """Yield each reading with the notes it may mean, those of the archive last."""
    for way in ways:
        yield way, _named(way.name, notes)
    for way in ways:
        yield way, archived(way.name)


def _named(name: str, notes: Sequence[tuple[str, str]]) -> list[str]:
    """Return the paths of the notes with that title, alias, file name or end of path, in order."""
    wanted = name.casefold().removesuffix(".md")
    found = []
    for path, title in notes:
        stem = path.casefold().removesuffix(".md")
        if stem == wanted or stem.endswith(f"/{wanted}") or title.casefold() == name.casefold():
            found.append(path)
    return sorted(set(found))


def excerpt(path: str, content: bytes, target: Target, *, limit: int | None = None) -> Excerpt:
    """Return the lines of `content` that `target` names, at most `limit` characters (0: all).

    Without a limit: CHARACTERS, and LINES where no last line is given. A single line that is longer
    is cut. Raises NoteNotFound when the file has no such line or heading.
    """
    from vademecum.markdown.lines import decode, split  # noqa: PLC0415  `Excerpt` alone is light

    decoded = decode(content)
    text = decoded.text
    lines = split(text)
    first, last = _bounds(path, text, lines, target)
    whole = last if target.last is not None or target.anchor else len(lines)
    if limit is None and target.last is None:
        last = min(last, first + LINES - 1)
    room = CHARACTERS if limit is None else limit or len(text) + 1
    given, cut = _fit(lines[first - 1 : last], room)
    last = first + len(given) - 1
    shown = "".join(given)
    whole_lines = decoded.encoding.startswith("utf-8") and not cut
    data = _bytes_of(content, first, last) if whole_lines else shown.encode()
    return Excerpt(
        span=Span(path, first, last, digest_of(data)),
        text=shown,
        content=data,
        total=len(lines),
        following=Span(path, last + 1, whole) if last < whole else None,
        cut=cut,
        digest=digest_of(content),
        defect=decoded.defect,
    )


def _bytes_of(content: bytes, first: int, last: int) -> bytes:
    """Return the bytes of whole lines, terminators included."""
    rows = content.split(b"\n")
    ended = b"\n" if last < len(rows) and last >= first else b""
    return b"\n".join(rows[first - 1 : last]) + ended


def _bounds(path: str, text: str, lines: list[str], target: Target) -> tuple[int, int]:
    if target.anchor:
        return _anchored(path, text, lines, target.anchor)
    first = target.first or 1
    if first > max(len(lines), 1):
        raise NoteNotFound(
            f"{path} has no line {first}; its last one is {len(lines)}.",
            hint=f"Ask for lines up to {len(lines)}.",
        )
    return first, min(target.last or len(lines), len(lines))


def _anchored(path: str, text: str, lines: list[str], anchor: str) -> tuple[int, int]:
    """Return the lines of a block id or of a heading with everything below it."""
    if anchor.startswith("^"):
        for number, line in enumerate(lines, 1):
            if line.rstrip().endswith(f" {anchor}"):
                return number, number
        raise NoteNotFound(f"{path} has no block {anchor}.", hint="Block ids stand at line ends.")
    from vademecum.markdown.parse import parse_note  # noqa: PLC0415  only headings need it

    sections = parse_note(path, text, Role.OTHER).sections
    wanted = anchor.rpartition("#")[2].strip().casefold()
    for index, section in enumerate(sections):
        if section.title.casefold() == wanted:
            below = [later for later in sections[index + 1 :] if later.level <= section.level]
            last = below[0].first - 1 if below else len(lines)
            while last > section.first and not lines[last - 1].strip():
                last -= 1
            return section.first, last
    raise NoteNotFound(
        f"{path} has no heading {anchor!r}.",
        hint=f"Read it whole to see its headings: vade get {path}",
    )


def _fit(lines: list[str], room: int) -> tuple[list[str], bool]:
    """Return the leading lines that fit, and whether the only one had to be cut."""
    if lines and len(lines[0]) > room:
        return [lines[0][:room]], True
    used = 0
    for count, line in enumerate(lines):
        used += len(line)
        if used > room:
            return lines[:count], False
    return lines, False
