"""Carry vectors from an earlier index over to its successor, as far as they can be read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from zlib import crc32

import apsw

from vademecum.backends.sqlite import connection as files

_BATCH = 2_000
_DIGEST_BYTES = 16


def copy_vectors(source: Path, target: apsw.Connection) -> int:
    """Copy every vector that is readable in `source`; return how many.

    A damaged page ends the copy, and a vector that is not what its sum says is left out: of a file
    that was cut, the rest of a page reads as zeros. What is missing is embedded again.
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
        rows: list[tuple[int, bytes, int, bytes, int]] = list(
            earlier.execute(
                "SELECT e.id, p.digest, e.embedder, e.vector, e.sum FROM embeddings e"
                " CROSS JOIN passages p ON p.id = e.passage WHERE e.id > ? ORDER BY e.id LIMIT ?",
                (last, _BATCH),
            )
        )
        if not rows:
            return copied
        last = rows[-1][0]
        sound = [
            (digest, embedder, vector, checked)
            for _, digest, embedder, vector, checked in rows
            if embedder in lanes and len(digest) == _DIGEST_BYTES and crc32(vector) == checked
        ]
        with target:
            target.executemany(
                "INSERT OR IGNORE INTO passages(digest) VALUES(?)",
                ((digest,) for digest, _, _, _ in sound),
            )
            target.executemany(
                "INSERT OR IGNORE INTO embeddings(passage, embedder, vector, sum)"
                " SELECT id, ?, ?, ? FROM passages WHERE digest=?",
                (
                    (embedder, vector, checked, digest)
                    for digest, embedder, vector, checked in sound
                ),
            )
        copied += len(sound)
