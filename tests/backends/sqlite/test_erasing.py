"""Erased text is in no byte of the index file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role
from vademecum.core.ports import DropNote, FileStamp, NoteRecord, PutNote
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.parse import parse_note


def note(path: str, text: str) -> PutNote:
    parsed = parse_note(path, text, Role.CONCEPT)
    stamp = FileStamp(len(text), 1, 1, 1)
    record = NoteRecord(parsed, stamp, digest_of(text.encode()))
    return PutNote(record, tuple(chunk_note(parsed, text, ChunkRules())))


@pytest.mark.req("B-03")
def test_no_byte_of_erased_text_is_left_and_the_index_stays_sound(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path, None)
    many = [note(f"{n}.md", f"# N{n}\n\nplain words about {n} herons\n") for n in range(300)]
    index.apply([*many, note("s.md", "# S\n\nxylophonist keeps zugzwang4711 in mind\n")])
    index.close()

    def left(find: Callable[[bytes], bool]) -> bool:
        return any(find(file.read_bytes()) for file in tmp_path.iterdir())

    assert left(lambda data: b"zugzwang4711" in data)
    index = SqliteIndex(tmp_path, None)
    index.apply([DropNote("s.md"), *[DropNote(f"{n}.md") for n in range(50, 300)]])
    index.erase_unused()
    assert not left(lambda data: b"zugzwang" in data or b"xylophon" in data)
    assert not index.verify()
    other = SqliteIndex(tmp_path, None)
    assert other.counts().notes == 50
    other.close()
    index.close()
