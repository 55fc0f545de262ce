"""What the product is measured against: the least that could do the same kind of work."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import apsw

_SCHEMA = "create virtual table texts using fts5(path, heading, body)"
_FIND = "select path from texts where texts match ? order by bm25(texts) limit 10"

# A whole process that searches a plain FTS5 table and prints the best places.
PROCESS = f"""
import sys, apsw
found = apsw.Connection(sys.argv[1]).execute({_FIND!r}, ('"' + sys.argv[2] + '"',))
print("\\n".join(path for (path,) in found))
"""


class PlainTable:
    """An FTS5 table with the same chunks and nothing else."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.execute("pragma journal_mode = wal")

    def load(self, rows: Sequence[tuple[str, str, str]]) -> None:
        """Insert path, heading and text of every chunk in one transaction."""
        with self._connection:
            self._connection.execute(_SCHEMA)
            self._connection.executemany("insert into texts values (?, ?, ?)", rows)

    def find(self, words: Sequence[str]) -> list[str]:
        """Return the paths of the ten best chunks that hold any of the words."""
        quoted = " OR ".join(f'"{word}"' for word in words)
        return [str(path) for (path,) in self._connection.execute(_FIND, (quoted,))]

    def close(self) -> None:
        """Release the file."""
        self._connection.close()


def chunks_of(root: Path) -> list[tuple[str, str, str]]:
    """Cut every note as the product does and return path, heading and text of each chunk."""
    from vademecum.core.notes import Role
    from vademecum.markdown.chunk import ChunkRules, chunk_note
    from vademecum.markdown.parse import parse_note

    rows = []
    for path in sorted(root.rglob("*.md")):
        relative, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        note = parse_note(relative, text, Role.OTHER)
        rows += [(relative, c.heading, c.text) for c in chunk_note(note, text, ChunkRules())]
    return rows


def walk(root: Path) -> int:
    """Stat every Markdown file below `root` and return how many there are."""
    count, folders = 0, [str(root)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.endswith(".md"):
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


def append_and_sync(path: Path, data: bytes) -> None:
    """Append `data` durably with the least that does it: open, write, fsync, close."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
