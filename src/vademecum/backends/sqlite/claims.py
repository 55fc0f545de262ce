"""Claims as they are kept: their rows, the keys of their slots, what they cite, their notes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import apsw

from vademecum.backends.sqlite import lexical, lists
from vademecum.core.claims import Claim
from vademecum.core.ids import blake2b
from vademecum.core.ports import (
    DropNote,
    KeyedClaim,
    NoteChange,
    NoteStanding,
    PutClaims,
    PutNote,
    TouchNote,
)
from vademecum.markdown.names import keys_of_name, names_of
from vademecum.markdown.standing import cited_name, standing_of_note
from vademecum.markdown.tokens import FTS5_TOKENIZER

TABLES = f"""
CREATE TABLE claim_notes(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, modified INTEGER NOT NULL,
    unread TEXT NOT NULL, status TEXT NOT NULL, successor TEXT NOT NULL, verified TEXT,
    scopes TEXT NOT NULL, expires TEXT
);
CREATE INDEX claim_notes_unread ON claim_notes(modified DESC) WHERE unread <> '';
CREATE TABLE claims(
    id INTEGER PRIMARY KEY, note INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    digest TEXT NOT NULL, block TEXT NOT NULL, text TEXT NOT NULL, tag TEXT NOT NULL,
    since TEXT, until TEXT, evidence TEXT NOT NULL, superseded_by TEXT NOT NULL,
    struck INTEGER NOT NULL, conflict INTEGER NOT NULL, slot TEXT NOT NULL, keys BLOB NOT NULL
);
CREATE INDEX claims_note ON claims(note, first);
CREATE INDEX claims_block ON claims(block) WHERE block <> '';
CREATE TABLE names(key TEXT, note INTEGER, name TEXT, PRIMARY KEY(key, note)) WITHOUT ROWID;
CREATE INDEX names_note ON names(note);
CREATE INDEX claims_past ON claims(id) WHERE struck OR until NOTNULL;
CREATE TABLE claim_slots(key INTEGER, claim INTEGER, PRIMARY KEY(key, claim)) WITHOUT ROWID;
CREATE TABLE claim_evidence(name TEXT, claim INTEGER, PRIMARY KEY(name, claim)) WITHOUT ROWID;
CREATE VIRTUAL TABLE claims_fts USING fts5(
    body, content='', contentless_delete=1, detail=full, tokenize="{FTS5_TOKENIZER}"
);
"""
_INSERT = "INSERT INTO claims VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PUT_NOTE = """
INSERT INTO claim_notes VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET
    modified=excluded.modified, unread=excluded.unread, status=excluded.status,
    successor=excluded.successor, verified=excluded.verified, scopes=excluded.scopes,
    expires=excluded.expires
RETURNING id
"""
KEY = struct.Struct("<q")


def apply(connection: apsw.Connection, changes: Sequence[NoteChange]) -> None:
    """Carry what a batch says of claims into the tables; the caller holds the transaction."""
    for change in changes:
        match change:
            case PutNote(record, _, claims):
                standing = standing_of_note(record.note)
                names = names_of(record.note)
                silent = not claims and claims is not None and not names
                if silent and standing == NoteStanding(record.note.path):
                    _drop(connection, record.note.path)
                    continue
                unread = record.digest if claims is None else ""
                note = _put_note(connection, standing, record.stamp.modified, unread)
                _put_names(connection, note, names)
                _put_claims(connection, note, claims or ())
            case PutClaims(path, digest, claims):
                row = connection.execute(
                    "SELECT id FROM claim_notes WHERE path=? AND unread=?", (path, digest)
                ).get
                if isinstance(row, int):
                    connection.execute("UPDATE claim_notes SET unread='' WHERE id=?", (row,))
                    _put_claims(connection, row, claims)
            case DropNote(path):
                _drop(connection, path)
            case TouchNote():
                pass


def _put_note(
    connection: apsw.Connection, standing: NoteStanding, modified: int, unread: str
) -> int:
    verified = standing.verified.isoformat() if standing.verified else None
    scopes = lists.written(standing.scopes)
    note = connection.execute(
        _PUT_NOTE,
        (
            standing.path,
            modified,
            unread,
            standing.status,
            standing.successor,
            verified,
            scopes,
            standing.expires.isoformat() if standing.expires else None,
        ),
    ).get
    assert isinstance(note, int)
    return note


def _put_names(connection: apsw.Connection, note: int, names: Sequence[str]) -> None:
    connection.execute("DELETE FROM names WHERE note=?", (note,))
    if not names:
        return
    connection.executemany(
        "INSERT OR IGNORE INTO names VALUES(?, ?, ?)",
        [(key, note, name) for name in names for key in keys_of_name(name)],
    )


def _put_claims(connection: apsw.Connection, note: int, claims: Sequence[KeyedClaim]) -> None:
    """Replace a note's claims; of those that say what one said before, the keys are kept."""
    known = _forget(connection, note)
    for keyed in claims:
        claim = keyed.claim
        keys = known.get((claim.text, claim.slot))
        if keys is None:
            keys = _packed(keyed.keys())
        connection.execute(_INSERT, (note, *_row(claim), keys))
        row = connection.last_insert_rowid()
        connection.executemany(
            "INSERT OR IGNORE INTO claim_slots VALUES(?, ?)",
            [(key, row) for key in _unpacked(keys)],
        )
        connection.executemany(
            "INSERT OR IGNORE INTO claim_evidence VALUES(?, ?)",
            [(cited_name(target), row) for target in claim.evidence],
        )
        connection.execute(
            "INSERT INTO claims_fts(rowid, body) VALUES(?, ?)",
            (row, " ".join(lexical.cut_line(line) for line in claim.text.split("\n"))),
        )


def _forget(connection: apsw.Connection, note: int) -> dict[tuple[str, str], bytes]:
    """Remove a note's claims; return the keys they had, by text and declared slot."""
    gone: list[tuple[int, str, str, bytes, str]] = list(
        connection.execute(
            "SELECT id, text, slot, keys, evidence FROM claims WHERE note=?", (note,)
        )
    )
    for row, _, _, keys, evidence in gone:
        connection.executemany(
            "DELETE FROM claim_slots WHERE key=? AND claim=?",
            [(key, row) for key in _unpacked(keys)],
        )
        connection.executemany(
            "DELETE FROM claim_evidence WHERE name=? AND claim=?",
            [(cited_name(target), row) for target in lists.read(evidence)],
        )
        connection.execute("DELETE FROM claims_fts WHERE rowid=?", (row,))
    if gone:
        connection.execute("DELETE FROM claims WHERE note=?", (note,))
    return {(text, slot): keys for _, text, slot, keys, _ in gone}


def _drop(connection: apsw.Connection, path: str) -> None:
    note = connection.execute("SELECT id FROM claim_notes WHERE path=?", (path,)).get
    if isinstance(note, int):
        _forget(connection, note)
        _put_names(connection, note, ())
        connection.execute("DELETE FROM claim_notes WHERE id=?", (note,))


def _row(claim: Claim) -> tuple[object, ...]:
    span = claim.span
    return (
        span.first,
        span.last,
        span.digest,
        claim.id,
        claim.text,
        claim.tag.value,
        claim.since.isoformat() if claim.since else None,
        claim.until.isoformat() if claim.until else None,
        lists.written(claim.evidence),
        claim.superseded_by,
        int(claim.struck),
        int(claim.conflict),
        claim.slot,
    )


def _packed(keys: Iterable[str]) -> bytes:
    return b"".join(hashed(key) for key in dict.fromkeys(keys))


def hashed(key: str) -> bytes:
    """Return a slot key as it is kept."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=KEY.size).digest()


def _unpacked(keys: bytes) -> list[int]:
    return [number for (number,) in KEY.iter_unpack(keys)]
