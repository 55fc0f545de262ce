"""Apply changes of notes: replace, touch and drop, each reusing what is still true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import apsw

from vademecum.backends.sqlite import lexical, lists, schema
from vademecum.backends.sqlite.rows import passage_of
from vademecum.core.frozen import dataclass
from vademecum.core.ids import blake2b
from vademecum.core.notes import Chunk
from vademecum.core.ports import DropNote, FileStamp, NoteChange, NoteRecord, PutNote, TouchNote

_INSERT_PASSAGE = "INSERT OR IGNORE INTO passages(digest) VALUES(?)"
_INSERT_CHUNK = (
    "INSERT INTO chunks VALUES(?, ?, ?, ?, ?, ?, ?, (SELECT id FROM passages WHERE digest=?),"
    " ?, ?, ?, ?)"
)
_PUT_NOTE = """
INSERT INTO notes VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(path) DO UPDATE SET size=excluded.size, modified=excluded.modified,
    changed=excluded.changed, inode=excluded.inode, digest=excluded.digest, title=excluded.title,
    description=excluded.description, role=excluded.role, kind=excluded.kind, tags=excluded.tags,
    day=excluded.day, lines=excluded.lines, first_chunk=excluded.first_chunk,
    chunk_count=excluded.chunk_count, room=excluded.room
RETURNING id
"""
_LEAST_ROOM = 4
_FLUSH_AT = 20_000
_PASSAGE = 7  # its place in a row of chunks


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a note's chunks lie: ids from `first` on, `count` of them, `room` reserved."""

    note: int
    first: int
    count: int
    room: int


class Applier:
    """Carries one batch of changes into the tables; the caller holds the transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._feed = lexical.TextFeed()
        self._next_chunk = schema.number(connection, "next_chunk")
        self._notes = 0
        self._chunks = 0
        self._inserted: list[tuple[int, int]] = []
        self._rows: list[tuple[object, ...]] = []
        self._texts: list[tuple[int, str, str, str, str]] = []
        self.lost: Counter[int] = Counter()

    def apply(self, changes: Sequence[NoteChange]) -> None:
        """Apply every change in order, then the counters."""
        for change in changes:
            match change:
                case PutNote(record, chunks):
                    self._put(record, chunks)
                case TouchNote(path, stamp):
                    self._touch(path, stamp)
                case DropNote(path):
                    self._drop(path)
        self._flush()
        schema.add(self._connection, "notes", self._notes)
        schema.add(self._connection, "chunks", self._chunks)
        self._connection.execute(
            "UPDATE meta SET value=? WHERE key='next_chunk'", (self._next_chunk,)
        )

    def gained(self) -> Counter[int]:
        """Return how many chunks of each passage were added."""
        gained: Counter[int] = Counter()
        for first, last in self._inserted:
            rows = self._connection.execute(
                "SELECT passage FROM chunks WHERE id BETWEEN ? AND ?", (first, last)
            )
            gained.update(passage for (passage,) in rows)
        return gained

    def _put(self, record: NoteRecord, chunks: tuple[Chunk, ...]) -> None:
        self._feed.forget()
        marks = [_mark_of(chunk) for chunk in chunks]
        place = self._place_of(record.note.path)
        kept = 0
        if place is None:
            self._notes += 1
            place = self._reserve(0, len(chunks))
        else:
            kept = self._common_start(place, marks) if len(chunks) <= place.room else 0
            self._cut(place, kept)
            if len(chunks) > place.room:
                place = self._reserve(place.note, len(chunks))
        note = self._put_row(record, place, len(chunks))
        self._insert(note, place.first, chunks, marks, kept)

    def _put_row(self, record: NoteRecord, place: _Place, count: int) -> int:
        note, stamp = record.note, record.stamp
        row = self._connection.execute(
            _PUT_NOTE,
            (
                note.path,
                stamp.size,
                stamp.modified,
                stamp.changed,
                stamp.inode,
                record.digest,
                note.title,
                note.description,
                note.role.value,
                note.properties.text("type"),
                lists.written(note.properties.items("tags")),
                note.date.isoformat() if note.date else None,
                note.lines,
                place.first,
                count,
                place.room,
            ),
        ).get
        assert isinstance(row, int)
        return row

    def _insert(
        self, note: int, first: int, chunks: Sequence[Chunk], marks: Sequence[bytes], kept: int
    ) -> None:
        for ordinal in range(kept, len(chunks)):
            chunk = chunks[ordinal]
            day = lexical.iso_of(chunk.date)
            span = chunk.span
            passage = _digest(passage_of(day, chunk.heading, chunk.text))
            self._rows.append(
                (first + ordinal, note, ordinal, chunk.section, span.first, span.last, day)
                + (passage, marks[ordinal], span.digest, chunk.heading, chunk.text)
            )
            self._texts.append((first + ordinal, *self._feed.row(chunk)))
        self._chunks += len(chunks) - kept
        self._inserted.append((first + kept, first + len(chunks) - 1))
        if len(self._rows) > _FLUSH_AT:
            self._flush()

    def _flush(self) -> None:
        """Write the chunks gathered so far, many at once."""
        self._connection.executemany(_INSERT_PASSAGE, ((row[_PASSAGE],) for row in self._rows))
        self._connection.executemany(_INSERT_CHUNK, self._rows)
        lexical.insert_texts(self._connection, self._texts)
        self._rows.clear()
        self._texts.clear()

    def _touch(self, path: str, stamp: FileStamp) -> None:
        self._connection.execute(
            "UPDATE notes SET size=?, modified=?, changed=?, inode=? WHERE path=?",
            (stamp.size, stamp.modified, stamp.changed, stamp.inode, path),
        )

    def _drop(self, path: str) -> None:
        place = self._place_of(path)
        if place is not None:
            self._cut(place, 0)
            self._connection.execute("DELETE FROM notes WHERE id=?", (place.note,))
            self._notes -= 1

    def _place_of(self, path: str) -> _Place | None:
        row = self._connection.execute(
            "SELECT id, first_chunk, chunk_count, room FROM notes WHERE path=?", (path,)
        ).fetchone()
        return _Place(*row) if row else None

    def _reserve(self, note: int, count: int) -> _Place:
        """Reserve ids with room to grow by half, so that a log that grows keeps its place."""
        room = max(_LEAST_ROOM, count + count // 2)
        first, self._next_chunk = self._next_chunk, self._next_chunk + room
        return _Place(note, first, count, room)

    def _common_start(self, place: _Place, marks: Sequence[bytes]) -> int:
        rows = self._connection.execute(
            "SELECT mark FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id",
            (place.first, place.first + place.count - 1),
        )
        kept = 0
        for (mark,), wanted in zip(rows, marks, strict=False):
            if mark != wanted:
                break
            kept += 1
        return kept

    def _cut(self, place: _Place, kept: int) -> None:
        """Remove the chunks of a note from ordinal `kept` on."""
        self._flush()  # the same note may stand twice in one batch
        first, last = place.first + kept, place.first + place.count - 1
        if first > last:
            return
        passages: Iterable[tuple[int]] = self._connection.execute(
            "SELECT passage FROM chunks WHERE id BETWEEN ? AND ?", (first, last)
        )
        self.lost.update(passage for (passage,) in passages)
        lexical.delete_texts(self._connection, first, last)
        self._connection.execute("DELETE FROM chunks WHERE id BETWEEN ? AND ?", (first, last))
        self._chunks -= last - first + 1


def _mark_of(chunk: Chunk) -> bytes:
    """Return a digest over everything that a chunk's rows are made of."""
    span = chunk.span
    day = lexical.iso_of(chunk.date)
    numbers = f"{span.first} {span.last} {chunk.section}"
    joined = (
        f"{numbers}\x1f{chunk.text}\x1f{chunk.heading}\x1f{chunk.near}\x1f{day}\x1f{span.digest}"
    )
    return _digest(joined)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
