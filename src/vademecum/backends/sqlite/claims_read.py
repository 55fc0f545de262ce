"""Reading claims: by note, line, id, slot, evidence and words, and how their notes stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TypeVar

import apsw

from vademecum.backends.sqlite import claims, lexical, lists, rows
from vademecum.core.claims import Claim
from vademecum.core.notes import Span
from vademecum.core.ports import KeywordQuery, NoteStanding
from vademecum.core.provenance import Tag
from vademecum.core.search import IndexedChunk
from vademecum.markdown.names import is_meant
from vademecum.markdown.standing import cited_name, cites

_COLUMNS = (
    "n.path, c.first, c.last, c.digest, c.block, c.text, c.tag, c.since, c.until, c.evidence,"
    " c.superseded_by, c.struck, c.conflict, c.slot"
)
_CLAIM = f"SELECT {_COLUMNS} FROM claims c CROSS JOIN claim_notes n ON n.id = c.note"
_OF_NOTE = f"SELECT {_COLUMNS} FROM claim_notes n CROSS JOIN claims c ON c.note = n.id"
"""The same from the other side: the order of a CROSS JOIN is that of the loops."""
_MOST_NAMED = 50
_MOST_ASKED = 500

T = TypeVar("T")


class ReadsClaims:
    """The claim side of an index; `_read` is that of the index."""

    def _read(self, ask: Callable[[apsw.Connection], T], empty: T) -> T:
        raise NotImplementedError

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return every claim of those notes, in order of path and line."""
        return self._read(
            lambda file: [
                claim
                for path in sorted(set(paths))
                for claim in _of_note(file, "WHERE n.path = ? ORDER BY c.first", path)
            ],
            [],
        )

    def claims_at(self, places: Sequence[Span]) -> Sequence[Claim]:
        """Return the claims that share a line with any of those places, by path and line."""

        def ask(file: apsw.Connection) -> list[Claim]:
            where = "WHERE n.path = ? AND c.first <= ? AND c.last >= ?"
            found = {
                claim: None
                for place in places
                for claim in _of_note(file, where, place.path, place.last, place.first)
            }
            return sorted(found, key=lambda claim: (claim.span.path, claim.span.first))

        return self._read(ask, [])

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids; several notes may use one id."""
        where = "WHERE c.block = ? AND c.block <> '' ORDER BY n.path, c.first"
        return self._read(
            lambda file: [claim for id in dict.fromkeys(ids) for claim in _select(file, where, id)],
            [],
        )

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key, those of earlier keys first."""
        return self._read(lambda file: _by_slot(file, keys, limit), [])

    def slots_taken(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the slot keys that any claim has."""
        return self._read(lambda file: _taken(file, keys), frozenset())

    def claims_by_evidence(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return claims whose evidence names one of those notes, by path or by name."""
        return self._read(lambda file: _by_evidence(file, paths), [])

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share terms with the query, best first; days do not count."""
        asked = KeywordQuery(query.terms, query.phrases, query.prefixes)
        match = lexical.match_expression(asked)
        if not match or limit < 1:
            return []
        sql = "SELECT rowid FROM claims_fts WHERE claims_fts MATCH ? ORDER BY rank LIMIT ?"
        return self._read(
            lambda file: _by_row(file, [row for (row,) in file.execute(sql, (match, limit))]), []
        )

    def standings(self, paths: Sequence[str]) -> Mapping[str, NoteStanding]:
        """Return what those notes say of themselves as a whole, where they say anything."""
        return self._read(lambda file: _standings(file, paths), {})

    def crowded(self, most: int) -> Sequence[tuple[Claim, ...]]:
        """Return the live claims that share a slot key, a group for each, of at most `most`."""
        return self._read(lambda file: _crowded(file, most), [])

    def named(self, asked: Mapping[str, str]) -> Mapping[str, str]:
        """Return the notes that are meant by a title or an alias, by path, with what named each."""
        return self._read(lambda file: _named(file, asked), {})

    def has_superseded(self) -> bool:
        """Return whether any claim it knows is superseded."""
        sql = "SELECT 1 FROM claims INDEXED BY claims_past WHERE struck OR until NOTNULL LIMIT 1"
        return self._read(lambda file: file.execute(sql).get is not None, False)

    def unread_claims(self, limit: int) -> Sequence[str]:
        """Return paths of notes whose claims were not read yet, newest first."""
        sql = (
            "SELECT path FROM claim_notes INDEXED BY claim_notes_unread WHERE unread <> ''"
            " ORDER BY modified DESC LIMIT ?"
        )
        return self._read(lambda file: [path for (path,) in file.execute(sql, (limit,))], [])

    def chunks_at(self, places: Sequence[Span]) -> Sequence[IndexedChunk]:
        """Return the chunks that share a line with any of those places, in order of their ids."""
        return self._read(lambda file: rows.read_places(file, places), [])


def _select(file: apsw.Connection, where: str, *bindings: str | int) -> Iterator[Claim]:
    for row in file.execute(f"{_CLAIM} {where}", bindings):
        yield _claim(row)


def _of_note(file: apsw.Connection, where: str, *bindings: str | int) -> Iterator[Claim]:
    for row in file.execute(f"{_OF_NOTE} {where}", bindings):
        yield _claim(row)


def _claim(row: Sequence[object]) -> Claim:
    path, first, last, digest, block, text, tag, since, until, evidence, by, struck, rival, slot = (
        row
    )
    return Claim(
        id=str(block),
        text=str(text),
        tag=Tag(str(tag)),
        span=Span(str(path), int(str(first)), int(str(last)), str(digest)),
        since=_day(since),
        until=_day(until),
        evidence=lists.read(evidence),
        superseded_by=str(by),
        struck=bool(struck),
        conflict=bool(rival),
        slot=str(slot),
    )


def _by_row(file: apsw.Connection, found: Sequence[int]) -> list[Claim]:
    return [claim for row in found for claim in _select(file, "WHERE c.id = ?", row)]


def _by_slot(file: apsw.Connection, keys: Sequence[str], limit: int) -> list[Claim]:
    found: dict[int, None] = {}
    for key in keys:
        (number,) = claims.KEY.unpack(claims.hashed(key))
        rows_of = file.execute(
            "SELECT claim FROM claim_slots WHERE key=? ORDER BY claim DESC LIMIT ?", (number, limit)
        )
        found.update((row, None) for (row,) in rows_of)
        if len(found) >= limit:
            break
    return _by_row(file, list(found)[: max(0, limit)])


def _taken(file: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    key_of = {claims.KEY.unpack(claims.hashed(key))[0]: key for key in keys}
    numbers = list(key_of)
    found: set[str] = set()
    for start in range(0, len(numbers), _MOST_ASKED):
        asked = numbers[start : start + _MOST_ASKED]
        marks = ",".join("?" * len(asked))
        sql = f"SELECT DISTINCT key FROM claim_slots WHERE key IN ({marks})"
        found.update(key_of[number] for (number,) in file.execute(sql, asked))
    return frozenset(found)


def _crowded(file: apsw.Connection, most: int) -> list[tuple[Claim, ...]]:
    sql = (
        "SELECT DISTINCT group_concat(s.claim) FROM claim_slots s JOIN claims c ON c.id = s.claim"
        " WHERE NOT c.struck AND c.until IS NULL GROUP BY s.key HAVING count(*) BETWEEN 2 AND ?"
    )
    groups = [[int(row) for row in joined.split(",")] for (joined,) in file.execute(sql, (most,))]
    found = sorted({row for group in groups for row in group})
    held = {row: claim for row in found for claim in _by_row(file, [row])}
    return [tuple(held[row] for row in sorted(group)) for group in groups]


def _by_evidence(file: apsw.Connection, paths: Sequence[str]) -> list[Claim]:
    found: dict[Claim, None] = {}
    for path in dict.fromkeys(paths):
        where = "WHERE c.id IN (SELECT claim FROM claim_evidence WHERE name = ?) ORDER BY c.id"
        for claim in _select(file, where, cited_name(path)):
            if any(cites(target, path) for target in claim.evidence):
                found[claim] = None
    return list(found)


def _named(file: apsw.Connection, asked: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    sql = (
        "SELECT n.path, k.name FROM names k CROSS JOIN claim_notes n ON n.id = k.note"
        " WHERE k.key = ? ORDER BY n.path LIMIT ?"
    )
    for key, word in asked.items():
        for path, name in file.execute(sql, (key, _MOST_NAMED)):
            if is_meant(str(name), word):
                found.setdefault(str(path), str(name))
    return found


def _standings(file: apsw.Connection, paths: Sequence[str]) -> dict[str, NoteStanding]:
    found = {}
    for path in dict.fromkeys(paths):
        row = file.execute(
            "SELECT status, successor, verified, scopes, expires FROM claim_notes WHERE path=?",
            (path,),
        ).fetchone()
        if row is not None:
            status, successor, verified, scopes, expires = row
            standing = NoteStanding(
                path, status, successor, _day(verified), lists.read(scopes), _instant(expires)
            )
            if standing != NoteStanding(path):
                found[path] = standing
    return found


def _instant(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None


def _day(text: object) -> date | None:
    return date.fromisoformat(text) if isinstance(text, str) else None
