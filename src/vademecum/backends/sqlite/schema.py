"""The tables of the index, and the marks that say by which rules its text was cut."""

from __future__ import annotations

import apsw

from vademecum.backends.sqlite import claims
from vademecum.backends.sqlite.connection import page_sums_on
from vademecum.core.errors import IndexUnusable
from vademecum.core.ids import blake2b
from vademecum.markdown.tokens import FTS5_TOKENIZER, TOKENS_VERSION

SCHEMA_VERSION = 4
"""Raise it with every change of a table; files of another version are not read."""
APPLICATION_ID = 0x76616465  # "vade"

_TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE notes(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
    inode INTEGER NOT NULL, digest TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT NOT NULL, role TEXT NOT NULL, kind TEXT NOT NULL,
    tags TEXT NOT NULL, day TEXT, lines INTEGER NOT NULL,
    first_chunk INTEGER NOT NULL, chunk_count INTEGER NOT NULL, room INTEGER NOT NULL
);
CREATE INDEX notes_newest ON notes(modified DESC, id);
CREATE TABLE chunks(
    id INTEGER PRIMARY KEY, note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    section INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, day TEXT,
    passage INTEGER NOT NULL, mark BLOB NOT NULL, span_digest TEXT NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX chunks_passage ON chunks(passage);
CREATE TABLE passages(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
CREATE VIRTUAL TABLE chunks_fts USING fts5(
    body, heading, date, near, content='', contentless_delete=1, detail=full,
    tokenize="{FTS5_TOKENIZER}"
);
CREATE VIRTUAL TABLE chunks_terms USING fts5vocab(chunks_fts, row);
CREATE TABLE frequent(term TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE embedders(
    id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0, passages INTEGER NOT NULL DEFAULT 0,
    layout INTEGER NOT NULL DEFAULT 0, tuned INTEGER NOT NULL DEFAULT 0,
    clusters INTEGER NOT NULL DEFAULT 1, scale REAL NOT NULL DEFAULT 0, centre BLOB
);
CREATE TABLE embeddings(
    id INTEGER PRIMARY KEY, passage INTEGER NOT NULL, embedder INTEGER NOT NULL,
    vector BLOB NOT NULL, sum INTEGER NOT NULL, UNIQUE(passage, embedder)
);
CREATE TABLE codes(
    layout INTEGER, cluster INTEGER, passage INTEGER, code BLOB NOT NULL,
    PRIMARY KEY(layout, cluster, passage)
) WITHOUT ROWID;
CREATE INDEX codes_passage ON codes(passage);
CREATE TABLE centroids(
    layout INTEGER, cluster INTEGER, code BLOB NOT NULL, size INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY(layout, cluster)
) WITHOUT ROWID;
"""


def text_fingerprint(recipe: str) -> str:
    """Return what two indexes must share for their texts to be cut alike.

    `recipe` names the rules by which the caller makes chunks.
    """
    joined = "\x1f".join((recipe, FTS5_TOKENIZER, str(TOKENS_VERSION)))
    return blake2b(joined.encode(), digest_size=8).hexdigest()


def create_tables(connection: apsw.Connection, recipe: str) -> None:
    """Lay out an empty file."""
    with connection:
        connection.execute(_TABLES + claims.TABLES)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        # Few large merges: an index is loaded in bulk once and then changes by single notes.
        connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 8)")
        connection.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 8388608)")
        connection.executemany(
            "INSERT INTO meta VALUES(?, ?)",
            (
                ("text", text_fingerprint(recipe)),
                ("revision", 0),
                ("notes", 0),
                ("chunks", 0),
                ("next_chunk", 1),
                ("checked", int(page_sums_on(connection))),
            ),
        )


def check_head(connection: apsw.Connection) -> None:
    """Refuse a file that is not an index of this version, or whose page sums are switched off."""
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application != APPLICATION_ID:
        raise IndexUnusable("The index file is not one of vademecum's, or its head is damaged.")
    if version != SCHEMA_VERSION:
        raise IndexUnusable(
            f"The index was made by another version (layout {version}, here {SCHEMA_VERSION}).",
            hint="`vade sync` builds it anew.",
        )
    if number(connection, "checked") and not page_sums_on(connection):
        raise IndexUnusable("The index was written with page sums that cannot be checked here.")


def number(connection: apsw.Connection, key: str) -> int:
    """Return the whole number under `key`; IndexUnusable when it is not there."""
    value = connection.execute("SELECT value FROM meta WHERE key=?", (key,)).get
    if not isinstance(value, int):
        raise IndexUnusable(f"The index lacks its mark {key!r}.")
    return value


def add(connection: apsw.Connection, key: str, amount: int) -> None:
    """Add `amount` to the whole number under `key`."""
    connection.execute("UPDATE meta SET value = value + ? WHERE key=?", (amount, key))


def text_mark(connection: apsw.Connection) -> str:
    """Return the fingerprint of the rules by which the file's text was cut."""
    return str(connection.execute("SELECT value FROM meta WHERE key='text'").get)
