"""The index port over plain dictionaries: every answer by looking at everything there is.

It is the measure for the other backends in the contract suite, and serves tests that need no file.
Scores are computed as FTS5 computes them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from operator import mul

from vademecum.backends.in_memory_claims import HoldsClaims, Noted, is_shared
from vademecum.backends.in_memory_tokens import Tokenizer
from vademecum.core.errors import IndexUnusable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.notes import Chunk, Span
from vademecum.core.ports import (
    ColumnWeights,
    DropNote,
    EmbedderIdentity,
    FileStamp,
    IndexCondition,
    IndexCounts,
    IndexState,
    KeyedClaim,
    KeywordQuery,
    NoteChange,
    NoteRecord,
    NoteSummary,
    PendingPassage,
    PutClaims,
    PutNote,
    TouchNote,
    Vector,
)
from vademecum.core.search import IndexedChunk, ScoredChunk
from vademecum.markdown.tokens import index_text

_K1, _B = 1.2, 0.75
_LEAST_IDF = 1e-6


@dataclass(frozen=True, slots=True)
class _Row:
    chunk: IndexedChunk
    passage: str
    columns: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class _Content:
    """One generation: notes, rows by chunk id, and vectors by embedder and passage."""

    recipe: str
    records: dict[str, NoteRecord] = field(default_factory=dict)
    rows: dict[int, _Row] = field(default_factory=dict)
    vectors: dict[str, dict[str, Vector]] = field(default_factory=dict)
    revision: int = 0
    next_chunk: int = 1
    claims: dict[str, tuple[KeyedClaim, ...]] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    """Paths of notes whose claims are still to come."""
    seen: set[str] = field(default_factory=set)
    """Digests of passages that were there and not erased since."""


class Place:
    """Where indexes are kept that are opened more than once."""

    def __init__(self) -> None:
        self._content: _Content | None = None


class InMemoryIndex(HoldsClaims):
    """An index at `place`, opened for one embedder identity (or none)."""

    def __init__(
        self,
        place: Place | None = None,
        identity: EmbedderIdentity | None = None,
        recipe: str = "",
    ) -> None:
        self._place = place or Place()
        self._identity = identity
        self._recipe = recipe
        self._unpublished: _Content | None = None
        self._tokens = Tokenizer()
        self._closed = False

    def counts(self) -> IndexCounts:
        """Return how much the index holds."""
        content = self._content()
        vectors = self._vectors(content)
        embedded = sum(row.chunk.digest in vectors for row in content.rows.values())
        return IndexCounts(len(content.records), len(content.rows), embedded, content.revision)

    def stamps(self) -> Mapping[str, tuple[FileStamp, str]]:
        """Return stamp and digest of every note it knows, by path."""
        records = self._content().records
        return {path: (record.stamp, record.digest) for path, record in records.items()}

    def notes(self) -> Sequence[NoteSummary]:
        """Return every note it knows, by path."""
        return [_summary(record) for _, record in sorted(self._content().records.items())]

    def notes_told_by(self, name: str, words: Sequence[str]) -> Sequence[NoteSummary]:
        """Return every note: that is none too few."""
        return self.notes() if name or words else []

    def keyword_hits(self, query: KeywordQuery, limit: int) -> Sequence[ScoredChunk]:
        """Return the best chunks by BM25 over the weighted columns, best first."""
        rows = list(self._content().rows.values())
        scores: defaultdict[int, float] = defaultdict(float)
        length = sum(_length(row) for row in rows) / len(rows) if rows else 0.0
        days = [tuple(self._tokens(" ".join(day))) for day in query.days]
        for tokens, prefix in self._phrases(query):
            for chunk, score in _bm25(rows, length, tokens, prefix, query.weights):
                scores[chunk] += score
        if days:
            dated = {row.chunk.id for row in rows if _is_of(row, days)}
            return _best({chunk: scores[chunk] for chunk in scores.keys() & dated}, limit)
        return _best(scores, limit)

    def vector_hits(
        self, vector: Vector, limit: int, among: Sequence[int] | None = None
    ) -> Sequence[ScoredChunk]:
        """Return the nearest chunks by cosine, best first."""
        content = self._content()
        vectors = self._vectors(content)
        if self._identity is None or len(vector) != self._identity.dimensions:
            return []
        asked = content.rows.keys() if among is None else set(among) & content.rows.keys()
        scores = {
            chunk: float(sum(map(mul, vector, vectors[digest])))
            for chunk in asked
            if (digest := content.rows[chunk].chunk.digest) in vectors
        }
        return _best(scores, limit)

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many chunks each term occurs."""
        sets = [set().union(*row.columns) for row in self._content().rows.values()]
        return {
            term: min(
                (sum(token in tokens for tokens in sets) for token in self._tokens(term)), default=0
            )
            for term in terms
        }

    def chunks(self, ids: Sequence[int]) -> Mapping[int, IndexedChunk]:
        """Return the chunks that still exist among `ids`."""
        rows = self._content().rows
        return {chunk: rows[chunk].chunk for chunk in ids if chunk in rows}

    def section(self, path: str, section: int) -> Sequence[IndexedChunk]:
        """Return the chunks of one section of a note, in order."""
        return [
            row.chunk
            for _, row in sorted(self._content().rows.items())
            if row.chunk.span.path == path and row.chunk.section == section
        ]

    def chunks_at(self, places: Sequence[Span]) -> Sequence[IndexedChunk]:
        """Return the chunks that share a line with any of those places, in order of their ids."""
        rows = sorted(self._content().rows.items())
        return [
            row.chunk for _, row in rows if any(is_shared(row.chunk.span, one) for one in places)
        ]

    def _noted(self) -> Noted:
        content = self._content()
        return Noted(content.claims, content.unread, content.records)

    def _cut(self, text: str) -> tuple[str, ...]:
        return tuple(self._tokens(index_text(text)))

    def apply(self, changes: Sequence[NoteChange]) -> None:
        """Apply all changes at once."""
        present = self._content()
        content = _Content(
            present.recipe,
            dict(present.records),
            dict(present.rows),
            present.vectors,
            present.revision + 1,
            present.next_chunk,
            dict(present.claims),
            present.unread,
            present.seen,
        )
        for change in changes:
            match change:
                case PutNote(record, chunks, claims):
                    _forget(content, record.note.path)
                    content.records[record.note.path] = record
                    content.claims[record.note.path] = claims or ()
                    if claims is None:
                        content.unread |= {record.note.path}
                    for ordinal, chunk in enumerate(chunks):
                        row = self._row(content.next_chunk, ordinal, record, chunk)
                        content.rows[content.next_chunk] = row
                        content.seen.add(row.chunk.digest)
                        content.next_chunk += 1
                case TouchNote(path, stamp):
                    if path in content.records:
                        known = content.records[path]
                        content.records[path] = NoteRecord(known.note, stamp, known.digest)
                case PutClaims(path, digest, claims):
                    if path in content.unread and content.records[path].digest == digest:
                        content.unread -= {path}
                        content.claims[path] = claims
                case DropNote(path):
                    _forget(content, path)
        self._keep(content)

    def pending(self, limit: int) -> Sequence[PendingPassage]:
        """Return passages without a vector, newest notes first."""
        content = self._content()
        vectors = self._vectors(content)
        rows = sorted(
            content.rows.values(),
            key=lambda row: (-content.records[row.chunk.span.path].stamp.modified, row.chunk.id),
        )
        wanted = {row.chunk.digest: row.passage for row in rows if row.chunk.digest not in vectors}
        return [PendingPassage(*item) for item in list(wanted.items())[:limit]]

    def put_vectors(self, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Store vectors by passage digest."""
        content, identity = self._content(), self._identity
        if identity is None or any(len(one) != identity.dimensions for _, one in vectors):
            raise IndexUnusable("The vectors are not those the index was opened for.")
        kept = content.vectors.setdefault(identity.fingerprint, {})
        kept.update(one for one in vectors if one[0] in content.seen)
        content.revision += 1
        self._keep(content)

    def erase_unused(self) -> int:
        """Remove every passage and vector that no chunk uses; return how many passages."""
        content = self._content()
        used = {row.chunk.digest for row in content.rows.values()}
        removed = len(content.seen - used)
        content.seen &= used
        for vectors in content.vectors.values():
            for digest in vectors.keys() - used:
                del vectors[digest]
        return removed

    def tidy(self) -> None:
        """There is nothing to tidy."""

    def condition(self) -> IndexCondition:
        """Return whether it may be read as it stands."""
        content = self._unpublished or self._place._content
        if content is None:
            return IndexCondition(IndexState.ABSENT, "Nothing was indexed yet.")
        if content.recipe != self._recipe:
            return IndexCondition(IndexState.OUTDATED, "The rules of cutting text have changed.")
        return IndexCondition(IndexState.READY)

    def renew(self) -> InMemoryIndex:
        """Return an empty index beside this one, with every vector of this one."""
        fresh = InMemoryIndex(self._place, self._identity, self._recipe)
        vectors = {key: dict(value) for key, value in self._content().vectors.items()}
        fresh._unpublished = _Content(
            self._recipe, vectors=vectors, seen=set().union(*vectors.values())
        )
        return fresh

    def publish(self) -> None:
        """Make this index the one that everybody opens from now on."""
        content, self._unpublished = self._content(), None
        self._keep(content)

    def verify(self) -> Sequence[str]:
        """Nothing can be wrong with it."""
        return []

    def close(self) -> None:
        """Release it; further calls are errors."""
        self._closed = True

    def _content(self) -> _Content:
        if self._closed:
            raise IndexUnusable("The index was closed.", hint="Open the memory again.")
        return self._unpublished or self._place._content or _Content(self._recipe)

    def _keep(self, content: _Content) -> None:
        if self._unpublished is not None:
            self._unpublished = content
        else:
            self._place._content = content

    def _vectors(self, content: _Content) -> Mapping[str, Vector]:
        return content.vectors.get(self._identity.fingerprint, {}) if self._identity else {}

    def _row(self, number: int, ordinal: int, record: NoteRecord, chunk: Chunk) -> _Row:
        indexed = IndexedChunk(
            id=number,
            span=chunk.span,
            text=chunk.text,
            heading=chunk.heading,
            section=chunk.section,
            ordinal=ordinal,
            date=chunk.date,
            role=record.note.role,
            digest=text_digest(chunk.passage),
        )
        day = chunk.date.isoformat() if chunk.date else ""
        columns = tuple(
            tuple(self._tokens(index_text(text)))
            for text in (chunk.text, chunk.heading, day, chunk.near)
        )
        return _Row(indexed, chunk.passage, columns)

    def _phrases(self, query: KeywordQuery) -> Iterator[tuple[tuple[str, ...], bool]]:
        """Give each distinct element of the query once: its tokens, and whether as a prefix."""
        spelled = [(term, False) for term in query.terms]
        spelled += [(" ".join(phrase), False) for phrase in query.phrases]
        spelled += [(prefix, True) for prefix in query.prefixes]
        for text, prefix in dict.fromkeys(spelled):
            tokens = tuple(self._tokens(text))
            if tokens:
                yield tokens, prefix


def _bm25(
    rows: Sequence[_Row],
    length: float,
    tokens: tuple[str, ...],
    prefix: bool,
    weights: ColumnWeights,
) -> Iterator[tuple[int, float]]:
    """Robertson and Zaragoza 2009 with k1 1.2, b 0.75, occurrences weighted by their column."""
    columns = (weights.body, weights.heading, weights.date, weights.near)
    found = []
    for row in rows:
        times = [
            _occurrences(column, tokens, prefix) if weight > 0 else 0
            for column, weight in zip(row.columns, columns, strict=True)
        ]
        if any(times):
            found.append((row, sum(map(mul, times, columns))))
    ratio = (len(rows) - len(found) + 0.5) / (len(found) + 0.5)
    idf = max(math.log(ratio), 0.0) or _LEAST_IDF
    for row, times_weighted in found:
        norm = _K1 * (1 - _B + _B * _length(row) / length)
        yield row.chunk.id, idf * times_weighted * (_K1 + 1) / (times_weighted + norm)


def _occurrences(column: Sequence[str], tokens: tuple[str, ...], prefix: bool) -> int:
    size = len(tokens)
    led, last = tokens[:-1], tokens[-1]
    return sum(
        tuple(column[at : at + size - 1]) == led
        and (column[at + size - 1].startswith(last) if prefix else column[at + size - 1] == last)
        for at in range(len(column) - size + 1)
    )


def _is_of(row: _Row, days: Sequence[tuple[str, ...]]) -> bool:
    return any(_occurrences(row.columns[2], day, False) for day in days)


def _length(row: _Row) -> int:
    return sum(map(len, row.columns))


def _best(scores: Mapping[int, float], limit: int) -> list[ScoredChunk]:
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [ScoredChunk(*item) for item in ordered[: max(0, limit)]]


def _forget(content: _Content, path: str) -> None:
    content.records.pop(path, None)
    content.claims.pop(path, None)
    content.unread -= {path}
    gone = [chunk for chunk, row in content.rows.items() if row.chunk.span.path == path]
    for chunk in gone:
        del content.rows[chunk]


def _summary(record: NoteRecord) -> NoteSummary:
    note = record.note
    return NoteSummary(
        path=note.path,
        title=note.title,
        description=note.description,
        role=note.role.value,
        kind=note.properties.text("type"),
        tags=note.properties.items("tags"),
        date=note.date,
        lines=note.lines,
        digest=record.digest,
    )
