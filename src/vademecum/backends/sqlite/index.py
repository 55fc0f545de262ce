"""The index port over one SQLite file; one object serves any number of threads, one at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import apsw

from vademecum.backends.sqlite import (
    claims,
    erasing,
    generations,
    integrity,
    layouts,
    lexical,
    rows,
    salvage,
    schema,
    vectors,
)
from vademecum.backends.sqlite import connection as files
from vademecum.backends.sqlite.changes import Applier
from vademecum.backends.sqlite.claims_read import ReadsClaims
from vademecum.backends.sqlite.clusters import clusters_for
from vademecum.core.errors import IndexUnusable, StorageFailed
from vademecum.core.ports import (
    EmbedderIdentity,
    FileStamp,
    IndexCondition,
    IndexCounts,
    IndexState,
    KeywordQuery,
    NoteChange,
    NoteSummary,
    PendingPassage,
    Vector,
)
from vademecum.core.search import IndexedChunk, ScoredChunk

T = TypeVar("T")

CACHE_BUDGET = 2 * 1024**3
"""Bytes of kept vectors above which those of other embedders and of deleted text are dropped."""
_LONG_LOG = 32 * 1024**2 // files.PAGE_SIZE
"""Pages; a log's file keeps its size when it is begun anew, and says nothing."""
_OPEN_ATTEMPTS = 3


class SqliteIndex(ReadsClaims):
    """An index in `directory`, opened for one embedder identity; files appear on the first write.

    `recipe` names the rules by which chunks are cut: an index of another recipe is `outdated`.
    """

    def __init__(
        self,
        directory: Path,
        identity: EmbedderIdentity | None,
        recipe: str = "",
        *,
        cache_budget: int = CACHE_BUDGET,
        generation: Path | None = None,
    ) -> None:
        self._directory = directory
        self._identity = identity
        self._recipe = recipe
        self._cache_budget = cache_budget
        self._unpublished = generation
        self._lock = threading.RLock()
        self._path = generation or directory / generations.FIRST_NAME
        self._mark: tuple[int, ...] | None = None
        self._held, self._logged = -1, 0
        self._reader: apsw.Connection | None = None
        self._writer: apsw.Connection | None = None
        self._vectors_loaded: set[int] = set()
        self._damage, self._closed = "", False

    # ------------------------------------------------------------------ reading

    def counts(self) -> IndexCounts:
        """Return how much the index holds."""

        def ask(connection: apsw.Connection) -> IndexCounts:
            lane = vectors.lane_of(connection, self._identity)
            notes, chunks, revision = (
                schema.number(connection, key) for key in ("notes", "chunks", "revision")
            )
            return IndexCounts(notes, chunks, lane.chunks if lane else 0, revision)

        return self._read(ask, IndexCounts(0, 0, 0, 0))

    def stamps(self) -> Mapping[str, tuple[FileStamp, str]]:
        """Return stamp and digest of every note it knows, by path."""
        return self._read(rows.read_stamps, {})

    def notes(self) -> Sequence[NoteSummary]:
        """Return every note it knows, by path."""
        return self._read(rows.read_notes, [])

    def notes_told_by(self, name: str, words: Sequence[str]) -> Sequence[NoteSummary]:
        """Return what may have that name or a description of those words, by path."""
        return self._read(lambda file: rows.read_told_by(file, name, words), [])

    def keyword_hits(self, query: KeywordQuery, limit: int) -> Sequence[ScoredChunk]:
        """Return the best chunks by BM25 over the weighted columns, best first."""
        return self._read(lambda file: lexical.keyword_hits(file, query, limit), [])

    def vector_hits(
        self, vector: Vector, limit: int, among: Sequence[int] | None = None
    ) -> Sequence[ScoredChunk]:
        """Return the nearest chunks by cosine, best first."""

        def ask(connection: apsw.Connection) -> list[ScoredChunk]:
            lane = vectors.lane_of(connection, self._identity)
            if lane is None:
                return []
            if among is not None:
                return vectors.nearest_among(connection, lane, vector, among)[:limit]
            return vectors.nearest(connection, lane, vector, limit)

        return self._read(ask, [], compare=among is None)

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many chunks each term occurs."""
        return self._read(
            lambda file: lexical.document_frequency(file, terms), dict.fromkeys(terms, 0)
        )

    def chunks(self, ids: Sequence[int]) -> Mapping[int, IndexedChunk]:
        """Return the chunks that still exist among `ids`."""
        return self._read(lambda file: rows.read_chunks(file, ids), {})

    def section(self, path: str, section: int) -> Sequence[IndexedChunk]:
        """Return the chunks of one section of a note, in order."""
        return self._read(lambda file: rows.read_section(file, path, section), [])

    # ------------------------------------------------------------------ writing

    def apply(self, changes: Sequence[NoteChange]) -> None:
        """Apply all changes in one transaction."""
        with self._writing() as connection:
            applier = Applier(connection)
            applier.apply(changes)
            claims.apply(connection, changes)
            if vectors.any_lane(connection):
                vectors.follow(connection, applier.gained(), applier.lost)
            schema.add(connection, "revision", 1)
        self._checkpoint_when_long()

    def pending(self, limit: int) -> Sequence[PendingPassage]:
        """Return passages without a vector, newest notes first."""
        return self._read(lambda file: vectors.pending(file, self._identity, limit), [])

    def put_vectors(self, passages: Sequence[tuple[str, Vector]]) -> None:
        """Store vectors by passage digest."""
        identity = self._identity
        if identity is None:
            raise IndexUnusable("The index was opened without an embedder and takes no vectors.")
        vectors.check_dimensions(identity, passages)
        with self._writing() as connection:
            vectors.put_vectors(connection, identity, passages)
            schema.add(connection, "revision", 1)
        with self._using_writer() as connection:
            lane = vectors.lane_of(connection, identity)
            if lane and clusters_for(lane.passages) == 1 and layouts.due(lane):
                layouts.relay(connection, lane)
        self._checkpoint_when_long()

    def erase_unused(self) -> int:
        """Remove every passage and vector that no chunk uses; return how many passages."""
        if self.condition().state is IndexState.ABSENT:
            return 0
        with self._using_writer() as connection:
            removed = erasing.erase_unused(connection)
            self._checkpoint(connection, truncate=True)
            generations.sweep(self._directory, self._path)
        return removed

    def tidy(self) -> None:
        """Refresh statistics, cluster vectors when they have grown, keep the cache in bounds."""
        if self.condition().state is IndexState.ABSENT:
            return
        with self._using_writer() as connection:
            with connection:
                lexical.remember_frequent(connection, schema.number(connection, "chunks"))
            lane = vectors.lane_of(connection, self._identity)
            if lane and layouts.due(lane):
                layouts.relay(connection, lane)
            layouts.trim_cache(connection, lane.id if lane else None, self._cache_budget)
            self._checkpoint(connection)
            generations.sweep(self._directory, self._path)

    def condition(self) -> IndexCondition:
        """Return whether it may be read as it stands."""
        try:
            mark = self._read(lambda file: schema.text_mark(file), None)
        except IndexUnusable as error:
            return IndexCondition(IndexState.DAMAGED, str(error))
        if mark is None:
            return IndexCondition(IndexState.ABSENT, "Nothing was indexed yet.")
        if mark != schema.text_fingerprint(self._recipe):
            return IndexCondition(IndexState.OUTDATED, "The rules of cutting text have changed.")
        return IndexCondition(IndexState.READY)

    def verify(self) -> Sequence[str]:
        """Return what is wrong with it, each as a sentence; the next sync then builds it anew."""
        try:
            found = self._read(lambda file: list(integrity.defects(file)), list[str]())
        except IndexUnusable as error:
            found = [str(error)]
        self._damage = next((one for one in found if one != integrity.NO_SUMS), self._damage)
        if self._damage:
            generations.condemn(self._path)
        return found

    def renew(self) -> SqliteIndex:
        """Return an empty index beside this one, with every vector of this one that is sound."""
        with self._lock, files.translated(self._path):
            self._directory.mkdir(parents=True, exist_ok=True)
            successor = SqliteIndex(
                self._directory,
                self._identity,
                self._recipe,
                cache_budget=self._cache_budget,
                generation=generations.next_path(self._directory),
            )
        with successor._using_writer() as connection, suppress(IndexUnusable):
            salvage.copy_vectors(self._current_path(), connection)
        return successor

    def publish(self) -> None:
        """Make this index the one that everybody opens from now on."""
        with self._using_writer() as connection:
            self._checkpoint(connection)
            generations.point_to(self._path)
            self._unpublished = None
            self._mark = generations.mark_of(self._directory, self._path)
            generations.sweep(self._directory, self._path)

    def close(self) -> None:
        """Release it; further calls are errors."""
        with self._lock:
            self._follow_file()
            if self._writer is not None and not self._damage:
                with suppress(IndexUnusable, StorageFailed), files.translated(self._path):
                    self._checkpoint(self._writer, truncate=True)
            self._release()
            self._closed = True

    # ------------------------------------------------------------------ connections

    def _read(self, ask: Callable[[apsw.Connection], T], empty: T, *, compare: bool = False) -> T:
        with self._lock, self._guarded():
            connection = self._readable()
            if connection is None:
                return empty
            if compare:
                self._load_vectors(connection)
            with files.transaction(connection, "DEFERRED"):
                answer = ask(connection)
        return answer

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """One transaction: all of it, or none."""
        with self._using_writer() as connection, files.transaction(connection, "IMMEDIATE"):
            yield connection

    @contextmanager
    def _using_writer(self) -> Iterator[apsw.Connection]:
        with self._lock, self._guarded():
            yield self._writable()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        if self._closed:
            raise IndexUnusable("The index was closed.", hint="Open the memory again.")
        self._follow_file()
        if self._damage:
            raise IndexUnusable(self._damage, hint="`vade sync` builds the index anew.")
        try:
            with files.translated(self._path):
                yield
        except IndexUnusable as error:
            self._damage = str(error)
            raise

    def _follow_file(self) -> None:
        """Go over to another file when one was published, or when this one was taken away."""
        mark = generations.mark_of(self._directory, self._path)
        if mark != self._mark:
            self._release()
            self._damage = ""
            self._path = self._unpublished or self._path
            self._mark = mark

    def _current_path(self) -> Path:
        return self._unpublished or generations.current(self._directory)

    def _readable(self) -> apsw.Connection | None:
        if self._reader is None:
            for attempt in range(_OPEN_ATTEMPTS):
                self._path = self._current_path()
                self._mark = generations.mark_of(self._directory, self._path)
                try:
                    self._reader = self._open_reader()
                    break
                except apsw.CantOpenError:
                    if attempt + 1 == _OPEN_ATTEMPTS:
                        raise
        return self._reader

    def _open_reader(self) -> apsw.Connection | None:
        """Open the current file, checked; None while there is none."""
        seal = generations.sealed(self._path)  # before the snapshot, see `generations`
        if not self._path.exists():
            if seal.revision:
                raise IndexUnusable(f"The index {self._path} is gone, though it was there.")
            return None
        self._hold()
        self._check_size(seal)
        connection = files.open_reader(self._path)
        with files.transaction(connection, "DEFERRED"):
            if not seal.revision and not connection.execute("SELECT 1 FROM sqlite_schema").get:
                return None  # another process is about to lay it out
            schema.check_head(connection)
            revision = schema.number(connection, "revision")
        if revision < seal.revision:
            raise IndexUnusable(
                f"The index {self._path} has lost changes that it held (it is at {revision},"
                f" was at {seal.revision}).",
                hint="Your notes are intact; `vade sync` builds the index anew.",
            )
        return connection

    def _check_size(self, seal: generations.Seal) -> None:
        """Refuse a file that was cut: what is missing of a page would read as zeros, unchecked."""
        size = self._path.stat().st_size
        if size < seal.size or size % files.PAGE_SIZE:
            raise IndexUnusable(f"The index {self._path} was cut to {size} bytes.")

    def _writable(self) -> apsw.Connection:
        if self._writer is not None:
            return self._writer
        if self._readable() is None:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._hold()
            connection = files.create(self._path)
            schema.create_tables(connection, self._recipe)
            self._mark = generations.mark_of(self._directory, self._path)
        else:
            connection = files.open_writer(self._path)
        self._load_vectors(connection)
        connection.set_wal_hook(self._note_log)
        self._writer = connection
        return connection

    def _load_vectors(self, connection: apsw.Connection) -> None:
        if id(connection) not in self._vectors_loaded:
            files.load_vectors(connection)
            self._vectors_loaded.add(id(connection))

    def _hold(self) -> None:
        if self._held < 0:
            self._held = generations.hold(self._path)

    def _release(self) -> None:
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close()
        self._reader = self._writer = None
        self._vectors_loaded.clear()
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    def _checkpoint_when_long(self) -> None:
        if self._logged > _LONG_LOG:
            with self._using_writer() as connection:
                self._checkpoint(connection)

    def _note_log(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._logged = pages
        return apsw.SQLITE_OK

    def _checkpoint(self, connection: apsw.Connection, *, truncate: bool = False) -> None:
        """Copy the log into the file, under a seal; readers may hold back a part of it."""
        pages = connection.execute("PRAGMA page_count").get
        assert isinstance(pages, int)
        size = pages * files.PAGE_SIZE  # less than the file has after it was written anew
        generations.seal(self._path, schema.number(connection, "revision"), size)
        with suppress(apsw.BusyError):
            connection.wal_checkpoint(
                mode=apsw.SQLITE_CHECKPOINT_TRUNCATE if truncate else apsw.SQLITE_CHECKPOINT_PASSIVE
            )
