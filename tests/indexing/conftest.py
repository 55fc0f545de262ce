"""A workspace on disk, its index in SQLite, and questions to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ports import ColumnWeights, EmbedderIdentity, Index, KeywordQuery
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import SyncReport, sync
from vademecum.workspace.workspace import Workspace, open_workspace


class Desk:
    """One directory of notes and whoever indexes it."""

    def __init__(self, base: Path) -> None:
        self.root = base / "notes"
        self.root.mkdir()
        self.base = base
        self.embedder = HashingEmbedder(32)
        self._open: list[SqliteIndex] = []

    def workspace(self, **flags: str | int) -> Workspace:
        variables = {"VADE_STATE_DIRECTORY": str(self.base / "state"), "HOME": str(self.base)}
        return open_workspace(self.root, flags=dict(flags), variables=variables)

    def index(
        self, workspace: Workspace | None = None, identity: EmbedderIdentity | None = None
    ) -> SqliteIndex:
        workspace = workspace or self.workspace()
        identity = identity or self.embedder.identity
        index = SqliteIndex(workspace.state, identity, recipe_of(workspace.settings.chunk))
        self._open.append(index)
        return index

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def sync(self, index: Index) -> SyncReport:
        return sync(self.workspace(), index)

    def found(self, index: Index, *terms: str) -> set[str]:
        """Return the paths in whose own text one of the terms stands."""
        query = KeywordQuery(terms, weights=ColumnWeights(heading=0, date=0, near=0))
        hits = index.keyword_hits(query, 500)
        return {one.span.path for one in index.chunks([hit.chunk for hit in hits]).values()}

    def close(self) -> None:
        for index in self._open:
            index.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()
