"""Erasing: no vector, word or freed page of deleted text is left in the index file."""

from __future__ import annotations

import apsw

_FULL_TEXT = ("chunks_fts", "claims_fts")


def erase_unused(connection: apsw.Connection) -> int:
    """Remove passages and vectors that no chunk uses, of every embedder; return how many passages.

    Full text is merged, since a segment keeps the words of deleted rows, and the file is written
    anew, since freed pages keep what stood in them. The caller checkpoints.
    """
    with connection:
        connection.execute(
            "DELETE FROM embeddings WHERE NOT EXISTS"
            " (SELECT 1 FROM chunks c WHERE c.passage = embeddings.passage)"
        )
        connection.execute(
            "DELETE FROM codes WHERE NOT EXISTS"
            " (SELECT 1 FROM chunks c WHERE c.passage = codes.passage)"
        )
        connection.execute(
            "DELETE FROM passages WHERE NOT EXISTS"
            " (SELECT 1 FROM chunks c WHERE c.passage = passages.id)"
        )
        removed = connection.changes()
        for table in _FULL_TEXT:
            connection.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")
    connection.execute("VACUUM")
    return removed
