"""A note cut into the units that are indexed, each with its heading, day and neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from vademecum.core.ids import text_digest
from vademecum.core.notes import Chunk, Note, Role, Section, Span
from vademecum.markdown.outline import outline
from vademecum.markdown.rules import CHUNKER_VERSION, ChunkRules
from vademecum.markdown.sizes import estimate_tokens, pieces
from vademecum.markdown.units import Unit, units_of

__all__ = ["CHUNKER_VERSION", "ChunkRules", "chunk_note", "estimate_tokens"]

SEPARATOR = " › "
_NEAR = 400
_DESCRIBING = ("description", "aliases", "tags")


def chunk_note(note: Note, text: str, rules: ChunkRules) -> tuple[Chunk, ...]:
    """Return the chunks of a note in order; `text` is what the note was parsed from.

    With `unit="line"` a chunk is a bullet with its continuation lines, a line of a log, a
    paragraph, a block quote, a code block or some rows of a table; with `unit="section"` these are
    packed up to `tokens`. What is longer than `tokens` is cut into pieces that overlap and share
    their line range. A section without text of its own or below is a chunk of its heading line.

    The first chunk of a note that describes itself (description, aliases or tags) has that as its
    text and the frontmatter as its span; the YAML itself is in no chunk.
    """
    lines, kinds = outline(text, note.properties.last)
    chunks = list(_described(note, lines))
    by_line = note.role is Role.LOG and rules.unit == "line"
    sections = note.sections
    for ordinal, section in enumerate(sections):
        first = section.first - (section.level == 0)
        units = units_of(lines, kinds, first, section.last, by_line)
        if not units and section.level and _is_leaf(sections, ordinal):
            units = [Unit(first - 1, first, lines[first - 1].rstrip("\r\n"))]
        if rules.unit == "section":
            units = _packed(lines, units, rules)
        chunks += _chunks(note, ordinal, section, _fitted(units, rules))
    return tuple(chunks) or tuple(_only_title(note, lines))


def _is_leaf(sections: Sequence[Section], ordinal: int) -> bool:
    following = ordinal + 1
    return following == len(sections) or sections[following].level <= sections[ordinal].level


def _chunks(note: Note, ordinal: int, section: Section, units: Sequence[Unit]) -> Iterator[Chunk]:
    if not units:
        return
    heading = heading_path(note, section)
    path, day = note.path, note.date
    last = len(units) - 1
    for number, unit in enumerate(units):
        text = unit.text
        before = _tail(units[number - 1].text) if number else ""
        after = _head(units[number + 1].text) if number < last else ""
        near = "\n".join(part for part in (unit.lead, before, after) if part)
        span = Span(path, unit.first + 1, unit.stop, text_digest(text))
        yield Chunk(span, text, heading, ordinal, day, near)


def heading_path(note: Note, section: Section) -> str:
    """Return title and headings above joined by ` › `, without saying anything twice.

    A title that only repeats the note's day is left out: the day has a field of its own.
    """
    path = section.path
    if path and path[0] == note.title:
        path = path[1:]
    if _says_the_day(note.title, note.date):
        return SEPARATOR.join(path)
    return SEPARATOR.join((note.title, *path))


def _says_the_day(title: str, day: date | None) -> bool:
    return day is not None and title == day.isoformat()


def _tail(text: str) -> str:
    return text if len(text) <= _NEAR else text[-_NEAR:].partition(" ")[2] or text[-_NEAR:]


def _head(text: str) -> str:
    return text if len(text) <= _NEAR else text[:_NEAR].rpartition(" ")[0] or text[:_NEAR]


def _fitted(units: Sequence[Unit], rules: ChunkRules) -> list[Unit]:
    """Return the units with those cut that are longer than the limit."""
    if all(len(unit.text) <= rules.tokens for unit in units):
        return list(units)
    fitted: list[Unit] = []
    for unit in units:
        if len(unit.text) <= rules.tokens or estimate_tokens(unit.text) <= rules.tokens:
            fitted.append(unit)
        else:
            fitted.extend(_cut(unit, rules))
    return fitted


def _cut(unit: Unit, rules: ChunkRules) -> Iterator[Unit]:
    text = unit.text
    for start, stop in pieces(text, rules.tokens, rules.overlap):
        piece = text[start:stop].rstrip("\r\n")
        if not piece.strip():
            continue
        first = unit.first + text.count("\n", 0, start)
        yield Unit(first, first + piece.count("\n") + 1, piece, unit.lead)


def _packed(lines: Sequence[str], units: Sequence[Unit], rules: ChunkRules) -> list[Unit]:
    """Return neighbouring units joined up to the limit; a pack begins with the end of the last."""
    packs: list[Unit] = []
    held: list[tuple[Unit, int]] = []
    for unit in units:
        size = estimate_tokens(unit.text)
        if held and sum(tokens for _, tokens in held) + size > rules.tokens:
            packs.append(_joined(lines, held))
            held = _overlapping(held, min(rules.overlap, rules.tokens - size))
        held.append((unit, size))
    if held:
        packs.append(_joined(lines, held))
    return packs


def _overlapping(held: list[tuple[Unit, int]], overlap: int) -> list[tuple[Unit, int]]:
    kept, size = len(held), 0
    while kept > 1 and size + held[kept - 1][1] <= overlap:
        kept -= 1
        size += held[kept][1]
    return held[kept:]


def _joined(lines: Sequence[str], held: list[tuple[Unit, int]]) -> Unit:
    if len(held) == 1:
        return held[0][0]
    first, stop = held[0][0].first, held[-1][0].stop
    return Unit(first, stop, "".join(lines[first:stop]).rstrip("\r\n"), held[0][0].lead)


def _described(note: Note, lines: Sequence[str]) -> Iterator[Chunk]:
    parts = [", ".join(note.properties.items(key)) for key in _DESCRIBING]
    if any(parts):
        yield _about(note, lines, "\n".join(part for part in parts if part))


def _only_title(note: Note, lines: Sequence[str]) -> Iterator[Chunk]:
    title = note.properties.text("title")
    if title:
        yield _about(note, lines, title)


def _about(note: Note, lines: Sequence[str], text: str) -> Chunk:
    last = note.properties.last
    digest = text_digest("".join(lines[:last]))
    return Chunk(Span(note.path, 1, last, digest), text, note.title, -1, note.date)
