"""Notes and chunks read back from their rows, each text checked against its digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import apsw

from vademecum.backends.sqlite import lists
from vademecum.core.errors import IndexUnusable
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role, Span
from vademecum.core.ports import FileStamp, NoteSummary
from vademecum.core.search import IndexedChunk

_CHUNK = (
    "SELECT c.id, n.path, c.first, c.last, c.span_digest, c.text, c.heading, c.section, c.ordinal,"
    " c.day, n.role, p.digest FROM chunks c"
    " CROSS JOIN notes n ON n.id = c.note CROSS JOIN passages p ON p.id = c.passage"
)
_MOST_PARAMETERS = 500
_MOST_WORDS = 20
_FOLDED = (
    "*[\x85\xa0\xdf\u0130\u0149\u017f\u01f0\u037e\u1680\u1e96-\u1e9a\u1e9e\u1fef\u2000-\u200a"
    "\u2028\u2029\u202f\u205f\u212a\u3000\ufb00-\ufb06]*"
)
"""What holds a sign beyond ASCII that case folding or NFC turns into ASCII, or a wide space."""


def read_stamps(connection: apsw.Connection) -> dict[str, tuple[FileStamp, str]]:
    """Return stamp and digest of every note."""
    return {
        path: (FileStamp(size, modified, changed, inode), digest)
        for path, size, modified, changed, inode, digest in connection.execute(
            "SELECT path, size, modified, changed, inode, digest FROM notes"
        )
    }


def read_notes(connection: apsw.Connection) -> list[NoteSummary]:
    """Return every note's summary, by path."""
    return _summaries(connection, "TRUE", ())


def read_told_by(connection: apsw.Connection, name: str, words: Sequence[str]) -> list[NoteSummary]:
    """Return the notes that may have that name, or a description of those words, by path.

    The engine folds the case of ASCII alone, so what could be folded to it otherwise is included.
    """
    wide, line = "octet_length({0}) > length({0})", "title || ' ' || description || ' ' || tags"
    folded = f"{wide} AND {{0}} GLOB '{_FOLDED}'"
    called = wide.format("(title || path)")
    if name.isascii():
        # Lengths first: they are known without looking at a text, and a question is long.
        called = (
            "length(title) = length(?1) AND lower(title) = ?1"
            " OR length(path) >= length(?1) AND (lower(substr(path, -length(?1))) = ?1"
            " OR lower(substr(path, -length(?1) - 3)) = ?1 || '.md')"
            f" OR {folded.format('(title || path)')}"
        )
    telling = [word for word in words if word.isascii() and '"' not in word and "\\" not in word]
    telling = telling[:_MOST_WORDS]
    holds = "".join(f" AND instr(lower({line}), ?{at})" for at in range(2, len(telling) + 2))
    described = f"(TRUE{holds} OR {folded.format(f'({line})')})" if words else "FALSE"
    where = f"(?1 <> '' AND ({called})) OR (description <> '' AND {described})"
    return _summaries(connection, where, (name, *telling))


def _summaries(
    connection: apsw.Connection, where: str, bindings: Sequence[str]
) -> list[NoteSummary]:
    rows = connection.execute(
        "SELECT path, title, description, role, kind, tags, day, lines, digest FROM notes"
        f" WHERE {where} ORDER BY path",
        tuple(bindings),
    )
    return [
        NoteSummary(
            path, title, description, role, kind, lists.read(tags), _day(day), lines, digest
        )
        for path, title, description, role, kind, tags, day, lines, digest in rows
    ]


def read_chunks(connection: apsw.Connection, ids: Sequence[int]) -> dict[int, IndexedChunk]:
    """Return the chunks that exist among `ids`, in the order asked."""
    found: dict[int, IndexedChunk] = {}
    for start in range(0, len(ids), _MOST_PARAMETERS):
        asked = ids[start : start + _MOST_PARAMETERS]
        marks = ",".join("?" * len(asked))
        for chunk in _read(connection, f"{_CHUNK} WHERE c.id IN ({marks})", asked):
            found[chunk.id] = chunk
    return {chunk: found[chunk] for chunk in ids if chunk in found}


def read_section(connection: apsw.Connection, path: str, section: int) -> list[IndexedChunk]:
    """Return the chunks of one section, in order; ids of a note are contiguous."""
    place = connection.execute(
        "SELECT first_chunk, chunk_count FROM notes WHERE path=?", (path,)
    ).fetchone()
    if place is None:
        return []
    first, count = place
    where = f"{_CHUNK} WHERE c.id BETWEEN ? AND ? AND c.section = ? ORDER BY c.id"
    return list(_read(connection, where, (first, first + count - 1, section)))


def read_places(connection: apsw.Connection, places: Sequence[Span]) -> list[IndexedChunk]:
    """Return the chunks that share a line with any of those places, in order of their ids."""
    found: dict[int, IndexedChunk] = {}
    where = f"{_CHUNK} WHERE c.id BETWEEN ? AND ? AND c.first <= ? AND c.last >= ?"
    for span in places:
        note = connection.execute(
            "SELECT first_chunk, chunk_count FROM notes WHERE path=?", (span.path,)
        ).fetchone()
        if note is not None:
            ids = (note[0], note[0] + note[1] - 1)
            for chunk in _read(connection, where, (*ids, span.last, span.first)):
                found[chunk.id] = chunk
    return [found[chunk] for chunk in sorted(found)]


def passage_of(day: str | None, heading: str, text: str) -> str:
    """Return what `Chunk.passage` was for the chunk of this row."""
    return f"{day or ''} {heading}".strip() + "\n" + text


def _read(connection: apsw.Connection, sql: str, bindings: Sequence[int]) -> Iterator[IndexedChunk]:
    for row in connection.execute(sql, tuple(bindings)):
        (chunk, path, first, last, span, text, heading, section, ordinal, day, role, digest) = row
        if _digest(passage_of(day, heading, text)) != digest:
            raise IndexUnusable(
                f"The index holds a damaged text of {path}:{first}-{last}.",
                hint="Your notes are intact; `vade sync` builds the index anew.",
            )
        yield IndexedChunk(
            id=chunk,
            span=Span(path, first, last, span),
            text=text,
            heading=heading,
            section=section,
            ordinal=ordinal,
            date=_day(day),
            role=Role(role),
            digest=digest.hex(),
        )


def _digest(passage: str) -> bytes:
    return bytes.fromhex(digest_of(passage.encode("utf-8", "surrogatepass")))


def _day(day: str | None) -> date | None:
    return date.fromisoformat(day) if day else None
