"""Carry vectors from an earlier index over to its successor, as far as they can be read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import apsw

from vademecum.backends.sqlite import connection as files

_BATCH = 2_000


def copy_vectors(source: Path, target: apsw.Connection) -> int:
    """Copy every vector that is readable in `source`; return how many.

    A damaged page ends the copy: what is missing is embedded again.
    """
    if not source.exists():
        return 0
    copied = 0
    with suppress(apsw.Error):
        earlier = files.open_reader(source)
        try:
            copied = _copy(earlier, target)
        finally:
            earlier.close()
    return copied


def _copy(earlier: apsw.Connection, target: apsw.Connection) -> int:
    lanes = {
        number: (fingerprint, dimensions)
        for number, fingerprint, dimensions in earlier.execute(
            "SELECT id, fingerprint, dimensions FROM embedders"
        )
    }
    with target:
        target.executemany(
            "INSERT INTO embedders(id, fingerprint, dimensions, layout) VALUES(?, ?, ?, ?)",
            ((number, *lane, number) for number, lane in lanes.items()),
        )
    last = copied = 0
    while True:
        rows: list[tuple[int, bytes, int, bytes]] = list(
            earlier.execute(
                "SELECT e.id, p.digest, e.embedder, e.vector FROM embeddings e"
                " CROSS JOIN passages p ON p.id = e.passage WHERE e.id > ? ORDER BY e.id LIMIT ?",
                (last, _BATCH),
            )
        )
        if not rows:
            return copied
        last = rows[-1][0]
        sound = [
            (digest, embedder, vector)
            for _, digest, embedder, vector in rows
            if embedder in lanes and len(vector) == 2 * lanes[embedder][1] and len(digest) == 16
        ]
        with target:
            target.executemany(
                "INSERT OR IGNORE INTO passages(digest) VALUES(?)",
                ((digest,) for digest, _, _ in sound),
            )
            target.executemany(
                "INSERT OR IGNORE INTO embeddings(passage, embedder, vector)"
                " SELECT id, ?, ? FROM passages WHERE digest=?",
                ((embedder, vector, digest) for digest, embedder, vector in sound),
            )
        copied += len(sound)
