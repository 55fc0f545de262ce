"""The full check: every page, the full-text structure, the counters, every text's digest."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from vademecum.backends.sqlite import schema
from vademecum.backends.sqlite.rows import passage_of
from vademecum.core.ids import text_digest

_MOST_REPORTED = 20
NO_SUMS = "Pages carry no sums: this build of apsw has no checksum module."
"""The one thing that is no damage."""


def defects(connection: apsw.Connection) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong; reading may raise what SQLite raises."""
    if not schema.number(connection, "checked"):
        yield NO_SUMS
    for (message,) in connection.execute(f"PRAGMA integrity_check({_MOST_REPORTED})"):
        if message != "ok":
            yield f"SQLite reports: {message}."
    yield from _counters(connection)
    yield from _places(connection)
    yield from _texts(connection)
    yield from _vectors(connection)


def _counters(connection: apsw.Connection) -> Iterator[str]:
    for table, marked in (
        ("notes", "notes"),
        ("chunks", "chunks"),
        ("chunks_fts_docsize", "chunks"),
    ):
        counted = connection.execute(f"SELECT count(*) FROM {table}").get
        expected = schema.number(connection, marked)
        if counted != expected:
            yield f"Table {table} has {counted} rows, its counter says {expected}."


def _places(connection: apsw.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT path, chunk_count, (SELECT count(*) FROM chunks c WHERE c.note = n.id"
        " AND c.id BETWEEN n.first_chunk AND n.first_chunk + n.chunk_count - 1) AS found"
        " FROM notes n WHERE found <> n.chunk_count LIMIT ?",
        (_MOST_REPORTED,),
    )
    for path, expected, found in rows:
        yield f"{path} should have {expected} chunks and has {found}."


def _texts(connection: apsw.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT c.id, c.day, c.heading, c.text, p.digest FROM chunks c"
        " LEFT JOIN passages p ON p.id = c.passage"
    )
    reported = 0
    for chunk, day, heading, text, digest in rows:
        if digest is None or text_digest(passage_of(day, heading, text)) != digest.hex():
            reported += 1
            if reported <= _MOST_REPORTED:
                yield f"The text of chunk {chunk} is not the one that was stored."


def _vectors(connection: apsw.Connection) -> Iterator[str]:
    lanes = connection.execute(
        "SELECT fingerprint, passages, chunks, layout, id FROM embedders"
    ).fetchall()
    for fingerprint, passages, chunks, layout, lane in lanes:
        coded = connection.execute("SELECT count(*) FROM codes WHERE layout=?", (layout,)).get
        used = connection.execute(
            "SELECT count(*) FROM chunks c CROSS JOIN embeddings e"
            " ON e.passage = c.passage AND e.embedder = ?",
            (lane,),
        ).get
        if (coded, used) != (passages, chunks):
            yield (
                f"Vectors of embedder {fingerprint}: {coded} codes for {used} chunks,"
                f" counters say {passages} for {chunks}."
            )
