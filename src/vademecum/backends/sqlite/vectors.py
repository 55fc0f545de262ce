"""The vector leg: passages without a vector, vectors put in place, and the nearest ones.

Each passage has one vector, whatever number of chunks share it. Vectors in `embeddings` are the
cache and the measure; 8-bit codes in `codes` find the candidates. A layout is one coding of all
vectors of an embedder: a scale, centroids, codes. A new one is written beside the old one and
switched by one row.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import apsw

from vademecum.backends.sqlite import clusters
from vademecum.backends.sqlite.codes import Scale, fit, kept, restored, similarity
from vademecum.backends.sqlite.rows import passage_of
from vademecum.core.errors import IndexUnusable
from vademecum.core.frozen import dataclass
from vademecum.core.ports import EmbedderIdentity, PendingPassage, Vector
from vademecum.core.search import ScoredChunk

PURE_PYTHON_UP_TO = 512
"""Vectors that are coded without numpy, whose import would cost more."""
_LEAST_PROBES, _MOST_PROBES = 4, 96
_COMPARED = 12_000
"""Codes that a search compares: nearest clusters are added until their sizes come to this."""
_SPARE = 24
"""Candidates beyond the limit that are measured exactly, since codes are coarse."""
_PENDING = (
    "SELECT p.digest, c.day, c.heading, c.text FROM notes n INDEXED BY notes_newest"
    " CROSS JOIN chunks c ON c.id BETWEEN n.first_chunk AND n.first_chunk + n.chunk_count - 1"
    " CROSS JOIN passages p ON p.id = c.passage"
    " WHERE NOT EXISTS (SELECT 1 FROM embeddings e"
    "     WHERE e.passage = c.passage AND e.embedder = ?)"
    " ORDER BY n.modified DESC, n.id LIMIT ?"
)
_DISTANCE = "vec_distance_l2(vec_int8(code), vec_int8(?))"


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a layout was made: its scale, how many vectors it was fitted to, its clusters."""

    scale: Scale
    tuned: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Lane:
    """The row of one embedder: what it has and how it is coded."""

    id: int
    dimensions: int
    chunks: int
    passages: int
    layout: int
    tuned: int
    clusters: int
    scale: Scale | None


def lane_of(connection: apsw.Connection, identity: EmbedderIdentity | None) -> Lane | None:
    """Return the lane of `identity`, or None while it has no vectors here."""
    return _lane(connection, identity.fingerprint) if identity else None


def _lane(connection: apsw.Connection, fingerprint: str) -> Lane | None:
    rows = connection.execute(
        "SELECT id, dimensions, chunks, passages, layout, tuned, clusters, scale, centre"
        " FROM embedders WHERE fingerprint=?",
        (fingerprint,),
    )
    row = next(rows, None)
    if row is None:
        return None
    lane, dimensions, chunks, passages, layout, tuned, divided, factor, centre = row
    scale = Scale(array("f", centre), factor) if centre is not None else None
    return Lane(lane, dimensions, chunks, passages, layout, tuned, divided, scale)


def pending(
    connection: apsw.Connection, identity: EmbedderIdentity | None, limit: int
) -> list[PendingPassage]:
    """Return passages without a vector of `identity`, newest notes first."""
    lane = lane_of(connection, identity)
    rows = connection.execute(
        _PENDING,
        (lane.id if lane else 0, limit),
    )
    unique = {digest.hex(): passage_of(day, heading, text) for digest, day, heading, text in rows}
    return [PendingPassage(digest, passage) for digest, passage in unique.items()]


def check_dimensions(identity: EmbedderIdentity, passages: Sequence[tuple[str, Vector]]) -> None:
    """Raise IndexUnusable when a vector has other dimensions than `identity` says."""
    for _, vector in passages:
        if len(vector) != identity.dimensions:
            raise IndexUnusable(
                f"A vector has {len(vector)} dimensions, but the index was opened for"
                f" {identity.dimensions}.",
                hint="The embedder answers with another model than it names; check its settings.",
            )


def put_vectors(
    connection: apsw.Connection,
    identity: EmbedderIdentity,
    vectors: Sequence[tuple[str, Vector]],
) -> None:
    """Keep the vectors of passages that are known, and code those whose passage is in use."""
    lane = lane_of(connection, identity) or _new_lane(connection, identity)
    fresh: dict[int, Vector] = {}
    for digest, vector in vectors:
        passage = _passage(connection, bytes.fromhex(digest))
        if passage is None:
            continue  # erased while the vector was made
        blob = kept(vector)
        connection.execute(
            "INSERT INTO embeddings(passage, embedder, vector, sum) VALUES(?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET vector=excluded.vector, sum=excluded.sum",
            (passage, lane.id, blob, crc32(blob)),
        )
        fresh[passage] = vector
    _place(connection, lane, fresh)


def any_lane(connection: apsw.Connection) -> bool:
    """Tell whether any embedder has vectors here."""
    return bool(connection.execute("SELECT 1 FROM embedders LIMIT 1").get)


def follow(connection: apsw.Connection, gained: Counter[int], lost: Counter[int]) -> None:
    """Keep codes and counts in step with chunks that came and went."""
    lanes = connection.execute("SELECT fingerprint FROM embedders").fetchall()
    for (fingerprint,) in lanes:
        lane = _lane(connection, str(fingerprint))
        if lane is not None:
            _follow_in(connection, lane, gained, lost)


def nearest(
    connection: apsw.Connection, lane: Lane, vector: Vector, limit: int
) -> list[ScoredChunk]:
    """Return the chunks of the nearest passages: candidates by code, order by exact cosine."""
    if lane.scale is None or limit < 1 or len(vector) != lane.dimensions:
        return []
    code = lane.scale.code(vector)
    probed = _probed(connection, lane, code)
    rows = connection.execute(
        f"SELECT passage, {_DISTANCE} AS distance FROM codes"
        f" WHERE layout=? AND cluster IN ({_marks(probed)}) ORDER BY distance LIMIT ?",
        (code, lane.layout, *probed, limit + _SPARE),
    )
    return _measured(connection, lane, vector, [passage for passage, _ in rows])[:limit]


def nearest_among(
    connection: apsw.Connection, lane: Lane, vector: Vector, chunks: Sequence[int]
) -> list[ScoredChunk]:
    """Return those of `chunks` that have a vector, by exact cosine."""
    wanted = set(chunks)
    rows = connection.execute(
        f"SELECT DISTINCT passage FROM chunks WHERE id IN ({_marks(chunks)})", tuple(chunks)
    )
    measured = _measured(connection, lane, vector, [passage for (passage,) in rows])
    return [scored for scored in measured if scored.chunk in wanted]


def _measured(
    connection: apsw.Connection, lane: Lane, vector: Vector, passages: Sequence[int]
) -> list[ScoredChunk]:
    scores = {}
    for passage, blob, checked in connection.execute(
        "SELECT passage, vector, sum FROM embeddings"
        f" WHERE embedder=? AND passage IN ({_marks(passages)})",
        (lane.id, *passages),
    ):
        if crc32(blob) != checked:
            raise IndexUnusable(
                "The index holds a damaged vector.",
                hint="Your notes are intact; `vade sync` builds the index anew.",
            )
        scores[passage] = similarity(vector, blob)
    found = [
        ScoredChunk(chunk, scores[passage])
        for chunk, passage in connection.execute(
            f"SELECT id, passage FROM chunks WHERE passage IN ({_marks(passages)})",
            tuple(passages),
        )
        if passage in scores
    ]
    return sorted(found, key=lambda scored: (-scored.score, scored.chunk))


def _place(connection: apsw.Connection, lane: Lane, vectors: dict[int, Vector]) -> None:
    """Code the vectors of passages that some chunk has, where they have no code yet."""
    uses = {passage: _uses(connection, passage) for passage in vectors}
    placed = [
        passage
        for passage, count in uses.items()
        if count and not _has_code(connection, lane, passage)
    ]
    if not placed:
        return
    codes = _coded(connection, lane, [vectors[passage] for passage in placed])
    for passage, (layout, cluster, code) in zip(placed, codes, strict=True):
        connection.execute("INSERT INTO codes VALUES(?, ?, ?, ?)", (layout, cluster, passage, code))
    connection.execute(
        "UPDATE embedders SET chunks = chunks + ?, passages = passages + ? WHERE id=?",
        (sum(uses[passage] for passage in placed), len(placed), lane.id),
    )


def _coded(
    connection: apsw.Connection, lane: Lane, vectors: Sequence[Vector]
) -> list[tuple[int, int, bytes]]:
    scale = lane.scale
    if scale is None:
        scale = fit(vectors[:PURE_PYTHON_UP_TO])
        write_layout(connection, lane.id, lane.layout, Tuning(scale, len(vectors), 1))
    if len(vectors) > PURE_PYTHON_UP_TO:
        codes = clusters.code_many(scale, vectors)
    else:
        codes = [scale.code(vector) for vector in vectors]
    return [(lane.layout, _nearest_clusters(connection, lane, code, 1)[0], code) for code in codes]


def _follow_in(
    connection: apsw.Connection, lane: Lane, gained: Counter[int], lost: Counter[int]
) -> None:
    revived: dict[int, Vector] = {}
    gone: list[int] = []
    change = 0
    for passage in gained.keys() | lost.keys():
        if _has_code(connection, lane, passage):
            change += gained[passage] - lost[passage]
            if not _uses(connection, passage):
                gone.append(passage)
        elif gained[passage]:
            blob = connection.execute(
                "SELECT vector FROM embeddings WHERE passage=? AND embedder=?", (passage, lane.id)
            ).get
            if isinstance(blob, bytes):
                revived[passage] = restored(blob)
    for passage in gone:
        connection.execute("DELETE FROM codes WHERE passage=? AND layout=?", (passage, lane.layout))
    connection.execute(
        "UPDATE embedders SET chunks = chunks + ?, passages = passages - ? WHERE id=?",
        (change, len(gone), lane.id),
    )
    _place(connection, lane, revived)


def write_layout(connection: apsw.Connection, lane: int, layout: int, tuning: Tuning) -> None:
    """Make `layout` the one that searches of this embedder use."""
    connection.execute(
        "UPDATE embedders SET layout=?, tuned=?, clusters=?, scale=?, centre=? WHERE id=?",
        (
            layout,
            tuning.tuned,
            tuning.clusters,
            tuning.scale.factor,
            tuning.scale.centre.tobytes(),
            lane,
        ),
    )


def _new_lane(connection: apsw.Connection, identity: EmbedderIdentity) -> Lane:
    connection.execute(
        "INSERT INTO embedders(fingerprint, dimensions, layout)"
        " VALUES(?, ?, (SELECT coalesce(max(layout), 0) + 1 FROM embedders))",
        (identity.fingerprint, identity.dimensions),
    )
    lane = lane_of(connection, identity)
    assert lane is not None
    return lane


def _nearest_clusters(
    connection: apsw.Connection, lane: Lane, code: bytes, count: int
) -> list[int]:
    if lane.clusters <= 1:
        return [0]
    rows = connection.execute(
        f"SELECT cluster FROM centroids WHERE layout=? ORDER BY {_DISTANCE} LIMIT ?",
        (lane.layout, code, count),
    )
    return [cluster for (cluster,) in rows]


def _probed(connection: apsw.Connection, lane: Lane, code: bytes) -> list[int]:
    """Return the clusters to look into, the nearest first, as many as the work allows."""
    if lane.clusters <= 1:
        return [0]
    probed: list[int] = []
    compared = 0
    rows = connection.execute(
        f"SELECT cluster, size FROM centroids WHERE layout=? ORDER BY {_DISTANCE} LIMIT ?",
        (lane.layout, code, _MOST_PROBES),
    )
    for cluster, size in rows:
        if compared >= _COMPARED and len(probed) >= _LEAST_PROBES:
            break
        probed.append(cluster)
        compared += size
    return probed


def _passage(connection: apsw.Connection, digest: bytes) -> int | None:
    known = connection.execute("SELECT id FROM passages WHERE digest=?", (digest,)).get
    assert known is None or isinstance(known, int)
    return known


def _uses(connection: apsw.Connection, passage: int) -> int:
    count = connection.execute("SELECT count(*) FROM chunks WHERE passage=?", (passage,)).get
    assert isinstance(count, int)
    return count


def _has_code(connection: apsw.Connection, lane: Lane, passage: int) -> bool:
    return bool(
        connection.execute(
            "SELECT 1 FROM codes WHERE passage=? AND layout=?", (passage, lane.layout)
        ).get
    )


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
