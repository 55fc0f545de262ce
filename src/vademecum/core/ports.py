"""Ports: what the engines need from a clock, an index, an embedder and a model."""

from __future__ import annotations

import array
import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple, Protocol, TypeAlias

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.ids import blake2b
from vademecum.core.notes import Chunk, Note, Span
from vademecum.core.search import IndexedChunk, ScoredChunk

Vector: TypeAlias = "array.array[float]"  # array("f"), unit length; subscripted only from 3.12 on


class Clock(Protocol):
    """The only source of now."""

    def now(self) -> datetime:
        """Return the present instant, aware, in the workspace's zone."""


class Purpose(enum.Enum):
    """What a text is embedded for; models of asymmetric search use a prefix for each."""

    QUERY = "query"
    PASSAGE = "passage"
    LIKENESS = "likeness"
    """Comparing two statements with each other, neither a question."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes two vectors comparable: all fields equal."""

    provider: str
    model: str
    dimensions: int
    query_prefix: str = ""
    passage_prefix: str = ""

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal characters over all fields."""
        joined = "\x1f".join(
            (
                self.provider,
                self.model,
                str(self.dimensions),
                self.query_prefix,
                self.passage_prefix,
            )
        )
        return blake2b(joined.encode(), digest_size=8).hexdigest()


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Return what its vectors may be compared with."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Return one vector for each text, in order, of unit length.

        Raises EmbedderUnavailable when any of them cannot be made; none is then returned.
        """

    def close(self) -> None:
        """Release the model or connection; the embedder is not used again."""


class FileStamp(NamedTuple):
    """What a stat says of a file; a change of any part means: look at the content.

    A tuple, because each search makes and compares one for every note.
    """

    size: int
    modified: int
    """Nanoseconds."""
    changed: int
    """Status change (ctime) in nanoseconds."""
    inode: int


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """A note as the index keeps it: where it was, what it was, what its content was."""

    note: Note
    stamp: FileStamp
    digest: str


@dataclass(frozen=True, slots=True)
class NoteSummary:
    """One row of the note table, as level 1 and `status` need it."""

    path: str
    title: str
    description: str
    role: str
    kind: str
    """`type` of the frontmatter."""
    tags: tuple[str, ...]
    date: date | None
    lines: int
    digest: str


@dataclass(frozen=True, slots=True)
class NoteStanding:
    """What a note's frontmatter says of all that is in it."""

    path: str
    status: str = ""
    """As written: `active`, `superseded`, `conflict`, …"""
    successor: str = ""
    """What it names as having taken its place, as written."""
    verified: date | None = None
    """`last_verified`, or the last day in `verified` of an Open Knowledge Format note."""
    scopes: tuple[str, ...] = ()
    """Where it holds; none: everywhere."""
    expires: datetime | None = None
    """`stale_after`, aware: the instant from which on it is stale."""


@dataclass(frozen=True, slots=True)
class KeyedClaim:
    """A claim, and how to get the keys of its slots, under which its rivals can be found."""

    claim: Claim
    keys: Callable[[], tuple[str, ...]]
    """Called only where the index does not have the keys of the same text already."""


@dataclass(frozen=True, slots=True)
class PutNote:
    """Replace everything the index knows of a note."""

    record: NoteRecord
    chunks: tuple[Chunk, ...]
    claims: tuple[KeyedClaim, ...] | None = ()
    """None: they are read later, by `PutClaims`; until then the note has none."""


@dataclass(frozen=True, slots=True)
class PutClaims:
    """Give a note the claims that were read in its content of that digest.

    Without effect where the index knows another content by now.
    """

    path: str
    digest: str
    claims: tuple[KeyedClaim, ...]


@dataclass(frozen=True, slots=True)
class TouchNote:
    """Only the stat moved; the content is what the index has."""

    path: str
    stamp: FileStamp


@dataclass(frozen=True, slots=True)
class DropNote:
    """Forget a note that is no longer on disk."""

    path: str


NoteChange = PutNote | PutClaims | TouchNote | DropNote


@dataclass(frozen=True, slots=True)
class PendingPassage:
    """A passage that has no vector yet."""

    digest: str
    passage: str


@dataclass(frozen=True, slots=True)
class ColumnWeights:
    """What a term is worth by where it stands; the columns of the lexical leg."""

    body: float = 1.0
    heading: float = 1.0
    date: float = 1.0
    near: float = 0.5


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Terms for the lexical leg, already cut as the index cuts text (`markdown.tokens`).

    A chunk matches when it holds any element in a column whose weight is above 0. Every element is
    data, never query syntax.
    """

    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    """Runs of terms whose adjacency is worth more."""
    prefixes: tuple[str, ...] = ()
    """Terms that match as a prefix (a single CJK character)."""
    days: tuple[tuple[str, ...], ...] = ()
    """Runs of parts of an ISO day (`2025`, `01`); with any given, a chunk's day must hold one."""
    weights: ColumnWeights = ColumnWeights()


class IndexState(enum.Enum):
    """Whether an index may be read as it stands."""

    ABSENT = "absent"
    """Nothing was indexed yet: every answer is empty."""
    READY = "ready"
    OUTDATED = "outdated"
    """Made by other rules of cutting text; it serves until its successor is published."""
    DAMAGED = "damaged"
    """Reading it raises IndexUnusable; only a successor mends it."""


@dataclass(frozen=True, slots=True)
class IndexCondition:
    """State of an index and, unless it is ready, the reason in words."""

    state: IndexState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """How much the index holds; `embedded` counts chunks that have a vector of this embedder."""

    notes: int
    chunks: int
    embedded: int
    revision: int
    """Grows with every change of content."""


class IndexReader(Protocol):
    """The readable side of an index. Readers never wait for the indexer.

    Every method sees one consistent state of its own; two calls may see two states. What is read
    is checked while it is read: rather than answer from damaged data, any method raises
    IndexUnusable. An absent index answers as an empty one.
    """

    def counts(self) -> IndexCounts:
        """Return how much the index holds."""

    def stamps(self) -> Mapping[str, tuple[FileStamp, str]]:
        """Return stamp and digest of every note it knows, by path."""

    def notes(self) -> Sequence[NoteSummary]:
        """Return every note it knows, by path."""

    def notes_told_by(self, name: str, words: Sequence[str]) -> Sequence[NoteSummary]:
        """Return notes by path, some too many, but none too few.

        Among them is each whose title, path or file's name is `name`, and each with a description
        that holds, with title and tags, all of `words`; both are given in folded case.
        """

    def keyword_hits(self, query: KeywordQuery, limit: int) -> Sequence[ScoredChunk]:
        """Return the best chunks by BM25 over the weighted columns, best first, positive scores."""

    def vector_hits(
        self, vector: Vector, limit: int, among: Sequence[int] | None = None
    ) -> Sequence[ScoredChunk]:
        """Return the nearest chunks by cosine, best first; empty where there are no vectors.

        Scores are exact to about 0.001; in a large index the choice of the nearest is approximate.
        With `among`, only those chunks are considered, each that has a vector is found, and none
        is missed.
        """

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many chunks each term occurs (0 for unknown ones).

        Terms are stemmed and folded as the index does. For terms in more than one in twenty chunks
        the number may be as old as the last `tidy`.
        """

    def chunks(self, ids: Sequence[int]) -> Mapping[int, IndexedChunk]:
        """Return the chunks that still exist among `ids`.

        The ids of a note's chunks follow each other in the order of its lines.
        """

    def section(self, path: str, section: int) -> Sequence[IndexedChunk]:
        """Return the chunks of one section of a note, in order."""

    def chunks_at(self, places: Sequence[Span]) -> Sequence[IndexedChunk]:
        """Return the chunks that share a line with any of those places, in order of their ids."""


class ClaimReader(Protocol):
    """The claims an index has read from notes; the files decide when the two disagree."""

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return every claim of those notes, in order of path and line."""

    def claims_at(self, places: Sequence[Span]) -> Sequence[Claim]:
        """Return the claims that share a line with any of those places, by path and line."""

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids; several notes may use one id."""

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key, those of earlier keys first."""

    def slots_taken(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the slot keys that any claim has."""

    def claims_by_evidence(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return claims whose evidence names one of those notes, by path or by name."""

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share terms with the query, best first; days do not count."""

    def standings(self, paths: Sequence[str]) -> Mapping[str, NoteStanding]:
        """Return what those notes say of themselves as a whole, where they say anything."""

    def crowded(self, most: int) -> Sequence[tuple[Claim, ...]]:
        """Return the live claims that share a slot key, a group for each, of at most `most`."""

    def named(self, asked: Mapping[str, str]) -> Mapping[str, str]:
        """Return the notes that are meant by a title or an alias, by path, with what named each.

        `asked` is that of `markdown.names.keys_asked`.
        """

    def has_superseded(self) -> bool:
        """Return whether any claim it knows is superseded."""

    def unread_claims(self, limit: int) -> Sequence[str]:
        """Return paths of notes whose claims were not read yet, newest first."""


class IndexWriter(Protocol):
    """The writable side of an index; one process holds it at a time."""

    def apply(self, changes: Sequence[NoteChange]) -> None:
        """Apply all changes in one transaction: after it, all are visible, before it, none."""

    def pending(self, limit: int) -> Sequence[PendingPassage]:
        """Return passages without a vector, newest notes first."""

    def put_vectors(self, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Store vectors by passage digest; those of text that was there before go to the cache.

        What the index never held, or was made to erase, is not taken.
        Raises IndexUnusable when their dimensions are not those the index was opened with.
        """

    def erase_unused(self) -> int:
        """Remove every passage and vector that no chunk uses; return how many passages.

        Afterwards nothing of deleted text is left, and vectors that somebody is making of it at
        the moment are not taken any more.
        """

    def tidy(self) -> None:
        """Give back space, refresh statistics and cluster vectors when they have grown enough."""


class Index(IndexReader, ClaimReader, IndexWriter, Protocol):
    """An index that was opened for one embedder identity (or none).

    Vectors of other identities are kept beside; an index without vectors of its own identity
    answers keywords all the same.
    """

    def condition(self) -> IndexCondition:
        """Return whether it may be read as it stands; cheap enough for every search."""

    def renew(self) -> Index:
        """Return an empty index beside this one, with every vector of this one that is sound."""

    def publish(self) -> None:
        """Make an index that came from `renew` the one that everybody opens from now on.

        Those who have the earlier one open go over to it at their next call.
        """

    def verify(self) -> Sequence[str]:
        """Return what is wrong with it, each as a sentence; nothing when it is sound."""

    def close(self) -> None:
        """Release it; further calls are errors."""
