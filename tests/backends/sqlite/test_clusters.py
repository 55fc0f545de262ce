"""Many vectors: clusters find what comparing with all of them finds; the cache keeps its bounds."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest

from vademecum.backends.sqlite import clusters, layouts, vectors
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ids import digest_of
from vademecum.core.notes import Chunk, Note, Properties, Role, Span
from vademecum.core.ports import (
    DropNote,
    EmbedderIdentity,
    FileStamp,
    KeywordQuery,
    NoteRecord,
    PutNote,
)

DIMENSIONS = 24
IDENTITY = EmbedderIdentity("synthetic", "blobs", DIMENSIONS)


def points(count: int, seed: int = 3) -> list[Any]:
    """Return unit vectors around a few dozen centres, all leaning to one side as models do."""
    import numpy as np

    random = np.random.default_rng(seed)
    centres = random.normal(size=(40, DIMENSIONS))
    made = (
        centres[random.integers(0, 40, count)] + 0.4 * random.normal(size=(count, DIMENSIONS)) + 2
    )
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [array("f", row.astype("f4").tobytes()) for row in made]


def note(number: int, count: int) -> PutNote:
    path = f"{number:03}.md"
    nothing = Note(path, path, Role.OTHER, Properties(), (), (), None, count)
    chunks = tuple(
        Chunk(Span(path, line, line), f"text {number} {line}", path, 0, None)
        for line in range(1, count + 1)
    )
    return PutNote(
        NoteRecord(nothing, FileStamp(1, number, 1, 1), digest_of(path.encode())), chunks
    )


def filled(
    directory: Path, given: list[Any], each: int = 100
) -> tuple[SqliteIndex, dict[str, Any]]:
    index = SqliteIndex(directory, IDENTITY)
    index.apply([note(number, each) for number in range(len(given) // each)])
    waiting = index.pending(len(given))
    pairs = [(one.digest, vector) for one, vector in zip(waiting, given, strict=True)]
    for start in range(0, len(pairs), 1000):
        index.put_vectors(pairs[start : start + 1000])
    return index, dict(pairs)


def exact(known: dict[str, Any], query: Any, count: int) -> list[str]:
    score = {key: sum(a * b for a, b in zip(query, one, strict=True)) for key, one in known.items()}
    return sorted(score, key=lambda key: -score[key])[:count]


def recall(index: SqliteIndex, known: dict[str, Any], queries: list[Any]) -> float:
    found = 0
    for query in queries:
        hits = index.vector_hits(query, 10)
        digests = {chunk.digest for chunk in index.chunks([hit.chunk for hit in hits]).values()}
        found += len(digests & set(exact(known, query, 10)))
    return found / (10 * len(queries))


@pytest.mark.req("R-02")
def test_without_clusters_the_nearest_are_all_found(tmp_path: Path) -> None:
    index, known = filled(tmp_path, points(1500))
    assert recall(index, known, points(20, seed=9)) >= 0.99
    index.close()


@pytest.mark.req("R-02", "I-04")
def test_clusters_find_nearly_all_and_follow_later_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "FLAT_BELOW", 1000)
    monkeypatch.setattr(clusters, "_PER_CLUSTER", 50)
    monkeypatch.setattr(vectors, "_COMPARED", 600)
    index, known = filled(tmp_path, points(3000))
    index.tidy()
    lane = index._read(lambda file: vectors.lane_of(file, IDENTITY), None)
    assert lane is not None
    assert 60 <= lane.clusters <= 120, "60, and pieces of the large ones"
    assert recall(index, known, points(20, seed=9)) >= 0.9
    assert index.verify() == []
    # What comes later goes into the clusters there are, and what goes leaves them.
    index.apply([DropNote("003.md"), note(900, 50)])
    late = {
        one.digest: vector for one, vector in zip(index.pending(99), points(50, 5), strict=True)
    }
    index.put_vectors(list(late.items()))
    assert index.counts().embedded == index.counts().chunks == 2950
    assert index.verify() == []
    first = next(iter(late.values()))
    (hit,) = index.vector_hits(first, 1)
    assert hit.score == pytest.approx(1.0, abs=1e-3)
    assert index.chunks([hit.chunk])[hit.chunk].span.path == "900.md"
    index.close()


@pytest.mark.req("I-03")
def test_vectors_are_coded_anew_when_they_have_doubled(tmp_path: Path) -> None:
    index, _ = filled(tmp_path, points(1500))
    lane = index._read(lambda file: vectors.lane_of(file, IDENTITY), None)
    assert lane is not None
    assert lane.tuned >= 750
    assert not layouts.due(lane)
    index.close()


@pytest.mark.req("I-03")
def test_an_interrupted_recoding_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "FLAT_BELOW", 1000)
    index, known = filled(tmp_path, points(1500))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(vectors, "write_layout", interrupted)
        with pytest.raises(KeyboardInterrupt):
            index.tidy()
    assert recall(index, known, points(5, seed=9)) >= 0.99
    index.tidy()
    assert index.verify() == []
    assert recall(index, known, points(5, seed=9)) >= 0.9
    layouts_used = index._read(
        lambda file: file.execute("SELECT count(DISTINCT layout) FROM codes").get, 0
    )
    assert layouts_used == 1
    index.close()


@pytest.mark.req("I-03")
def test_the_cache_forgets_other_embedders_and_deleted_text_before_its_own(tmp_path: Path) -> None:
    index, _ = filled(tmp_path, points(300))
    other_identity = EmbedderIdentity("synthetic", "other", DIMENSIONS)
    other = SqliteIndex(tmp_path, other_identity)
    other.put_vectors([(one.digest, points(1)[0]) for one in other.pending(300)])
    index.apply([DropNote("000.md")])
    index.close()

    def left(budget: int) -> tuple[int, int]:
        tight = SqliteIndex(tmp_path, IDENTITY, cache_budget=budget)
        tight.tidy()
        counted = tight._read(
            lambda file: file.execute("SELECT count(*) FROM embeddings").get, None
        )
        embedded = tight.counts().embedded
        assert tight.verify() == []
        tight.close()
        assert isinstance(counted, int)
        return counted, embedded

    size = 2 * DIMENSIONS
    assert left(600 * size) == (600, 200)
    assert left(400 * size) == (300, 200), "those of the other embedder went"
    assert left(250 * size) == (200, 200), "those of deleted text went"
    assert left(0) == (200, 200), "those in use stay"
    other.close()


def test_words_that_stand_in_many_chunks_are_counted_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vademecum.backends.sqlite import lexical

    monkeypatch.setattr(lexical, "_FREQUENT_FROM", 100)
    index = SqliteIndex(tmp_path, None)
    index.apply([note(number, 100) for number in range(2)])
    before = index.document_frequency(["text", "7", "absent"])
    index.tidy()
    assert index.document_frequency(["text", "7", "absent"]) == before
    assert index._read(lambda file: file.execute("SELECT count(*) FROM frequent").get, 0)
    assert len(index.keyword_hits(KeywordQuery(("text",)), 500)) == 200
    index.close()
