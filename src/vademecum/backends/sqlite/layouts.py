"""Code all vectors of an embedder anew when they have doubled, and keep the cache in bounds."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from vademecum.backends.sqlite import clusters, vectors
from vademecum.backends.sqlite.codes import fit, restored
from vademecum.backends.sqlite.vectors import Lane, Tuning

_BATCH = 4_096
_DELETE_AT_ONCE = 20_000
_FIRST_TUNING = 64


def due(lane: Lane) -> bool:
    """Tell whether the vectors have doubled since their codes were fitted."""
    return lane.passages >= max(_FIRST_TUNING, 2 * lane.tuned) or (
        lane.clusters == 1 and clusters.clusters_for(lane.passages) > 1
    )


def relay(connection: apsw.Connection, lane: Lane) -> None:
    """Write a new layout beside the present one, then switch; each step is short."""
    _drop_orphans(connection)
    layout = 1 + int(str(connection.execute("SELECT max(layout) FROM embedders").get))
    if lane.passages <= vectors.PURE_PYTHON_UP_TO:
        tuning = _relay_few(connection, lane, layout)
    else:
        tuning = _relay_many(connection, lane, layout)
    with connection:
        vectors.write_layout(connection, lane.id, layout, tuning)
    _drop_orphans(connection)


def trim_cache(connection: apsw.Connection, keep: int | None, budget: int) -> int:
    """Forget vectors until the cache is within `budget` bytes; return how many went.

    First those of other embedders than `keep`, then those of passages no chunk has any more.
    Vectors in use by `keep` always stay.
    """
    removed = 0
    if _cached_bytes(connection) > budget:
        removed += _forget_others(connection, keep or 0)
    if _cached_bytes(connection) > budget:
        removed += _delete_slices(
            connection,
            "DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings e WHERE NOT EXISTS"
            " (SELECT 1 FROM chunks c WHERE c.passage = e.passage) LIMIT ?)",
        )
    _delete_slices(
        connection,
        "DELETE FROM passages WHERE id IN (SELECT id FROM passages p"
        " WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.passage = p.id)"
        " AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.passage = p.id) LIMIT ?)",
    )
    return removed


def _relay_few(connection: apsw.Connection, lane: Lane, layout: int) -> Tuning:
    rows = [
        (passage, restored(blob))
        for passage, blob in connection.execute(_live("e.passage, e.vector"), (lane.id, 0, -1))
    ]
    scale = fit([vector for _, vector in rows])
    with connection:
        connection.executemany(
            "INSERT INTO codes VALUES(?, 0, ?, ?)",
            ((layout, passage, scale.code(vector)) for passage, vector in rows),
        )
    return Tuning(scale, len(rows), 1)


def _relay_many(connection: apsw.Connection, lane: Lane, layout: int) -> Tuning:
    def batches() -> Iterator[tuple[list[int], bytes]]:
        last = 0
        while True:
            rows: list[tuple[int, int, bytes]] = list(
                connection.execute(_live("e.id, e.passage, e.vector"), (lane.id, last, _BATCH))
            )
            if not rows:
                return
            last = rows[-1][0]
            yield [passage for _, passage, _ in rows], b"".join(blob for _, _, blob in rows)

    division = clusters.divide(batches, lane.passages, lane.dimensions)
    with connection:
        connection.executemany(
            "INSERT INTO centroids(layout, cluster, code) VALUES(?, ?, ?)",
            ((layout, cluster, code) for cluster, code in enumerate(division.centroids)),
        )
    for coded in division.coded:
        with connection:
            connection.executemany(
                "INSERT INTO codes VALUES(?, ?, ?, ?)",
                (
                    (layout, cluster, passage, code)
                    for cluster, passage, code in sorted(
                        zip(coded.clusters, coded.passages, coded.codes, strict=True)
                    )
                ),
            )
    with connection:
        connection.execute(
            "UPDATE centroids SET size = (SELECT count(*) FROM codes c"
            " WHERE c.layout = centroids.layout AND c.cluster = centroids.cluster)"
            " WHERE layout=?",
            (layout,),
        )
    return Tuning(division.scale, lane.passages, len(division.centroids))


def _live(columns: str) -> str:
    return (
        f"SELECT {columns} FROM embeddings e WHERE e.embedder=? AND e.id > ?"
        " AND EXISTS (SELECT 1 FROM chunks c WHERE c.passage = e.passage) ORDER BY e.id LIMIT ?"
    )


def _drop_orphans(connection: apsw.Connection) -> None:
    """Remove the codes and centroids of layouts that no embedder uses."""
    used = {layout for (layout,) in connection.execute("SELECT layout FROM embedders")}
    layout = -1
    while True:  # one seek a layout: DISTINCT would read every code
        found = connection.execute("SELECT min(layout) FROM codes WHERE layout > ?", (layout,)).get
        if not isinstance(found, int):
            break
        layout = found
        if layout not in used:
            _delete_layout(connection, layout)
    with connection:
        connection.execute(
            "DELETE FROM centroids WHERE layout NOT IN (SELECT layout FROM embedders)"
        )


def _delete_layout(connection: apsw.Connection, layout: int) -> None:
    while True:
        cluster = connection.execute("SELECT min(cluster) FROM codes WHERE layout=?", (layout,)).get
        if cluster is None:
            return
        with connection:
            connection.execute("DELETE FROM codes WHERE layout=? AND cluster=?", (layout, cluster))


def _cached_bytes(connection: apsw.Connection) -> int:
    rows = connection.execute(
        "SELECT d.dimensions, (SELECT count(*) FROM embeddings WHERE embedder = d.id)"
        " FROM embedders d"
    )
    return sum(2 * dimensions * count for dimensions, count in rows)


def _forget_others(connection: apsw.Connection, keep: int) -> int:
    removed = 0
    others = [row[0] for row in connection.execute("SELECT id FROM embedders")]
    for other in others:
        if other == keep:
            continue
        with connection:
            connection.execute("DELETE FROM embedders WHERE id=?", (other,))
        removed += _delete_slices(
            connection,
            "DELETE FROM embeddings WHERE id IN"
            f" (SELECT id FROM embeddings WHERE embedder={other:d} LIMIT ?)",
        )
    _drop_orphans(connection)
    return removed


def _delete_slices(connection: apsw.Connection, sql: str) -> int:
    removed = 0
    while True:
        with connection:
            connection.execute(sql, (_DELETE_AT_ONCE,))
            changed = connection.changes()
        removed += changed
        if changed < _DELETE_AT_ONCE:
            return removed
