"""Every index backend, opened on a place of its own, and notes to put into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from vademecum.backends.in_memory import InMemoryIndex, Place
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role
from vademecum.core.ports import EmbedderIdentity, FileStamp, Index, NoteRecord, PutNote
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.parse import parse_note

SMALL = EmbedderIdentity("hashing", "small", 8)


class Opener(Protocol):
    """Opens the one index of a test; each call is another process's view of it."""

    def __call__(self, identity: EmbedderIdentity | None = SMALL, recipe: str = "") -> Index: ...


@pytest.fixture(params=["sqlite", "in_memory"])
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    place, opened = Place(), []

    def opener(identity: EmbedderIdentity | None = SMALL, recipe: str = "") -> Index:
        index: Any = (
            SqliteIndex(tmp_path / "state", identity, recipe)
            if request.param == "sqlite"
            else InMemoryIndex(place, identity, recipe)
        )
        opened.append(index)
        return index

    yield opener
    for index in opened:
        index.close()


@pytest.fixture
def index(open_index: Opener) -> Index:
    return open_index()


@pytest.fixture
def put() -> Callable[..., PutNote]:
    return note_of


def note_of(path: str, text: str, modified: int = 1, role: Role = Role.CONCEPT) -> PutNote:
    note = parse_note(path, text, role)
    content = text.encode()
    stamp = FileStamp(len(content), modified, modified, 1)
    chunks = chunk_note(note, text, ChunkRules())
    return PutNote(NoteRecord(note, stamp, digest_of(content)), chunks)
