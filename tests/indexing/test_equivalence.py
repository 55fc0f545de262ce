"""An index that followed any course of changes answers as one built from the files alone."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.backends.in_memory import InMemoryIndex
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ports import Index, KeywordQuery, Purpose
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import sync
from vademecum.markdown.tokens import query_terms
from vademecum.workspace.workspace import Workspace, open_workspace

WORDS = ["heron", "otter", "stoat", "newt", "running", "decided", "Café", "季度预算", "v1.2-rc3"]
PATHS = ["a.md", "b.md", "deep/c.md", "deep/2026-01-20.md", "memory/2026-01-21.md"]
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=6)
EMBEDDER = HashingEmbedder(16)
VECTORS = EMBEDDER.embed(WORDS, Purpose.QUERY)


def answers(index: Index) -> tuple[list[Any], list[float]]:
    """Return notes, hits of both legs and sections by place rather than by number, and scores."""
    found: list[Any] = [[(n.path, n.title, n.digest, n.role) for n in index.notes()]]
    scores: list[float] = []
    for word, vector in zip(WORDS, VECTORS, strict=True):
        cut = query_terms(word)
        query = KeywordQuery(tuple(term.text for term in cut.terms), cut.phrases)
        for hits in (index.keyword_hits(query, 500), index.vector_hits(vector, 500)):
            chunks = index.chunks([hit.chunk for hit in hits])
            rows = sorted(
                (str(chunks[hit.chunk].span), chunks[hit.chunk].ordinal, hit.score) for hit in hits
            )
            found.append([row[:2] for row in rows])
            scores += [row[2] for row in rows]
    found.append(index.document_frequency(WORDS))
    found.append([[chunk.text for chunk in index.section(path, 0)] for path in PATHS])
    return found, scores


class Course(RuleBasedStateMachine):
    """Files change in any way; now and then somebody syncs."""

    @initialize()
    def start(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="vademecum-course-"))
        self.root = self.base / "notes"
        self.root.mkdir()
        self.index = self._index("state")

    def _workspace(self, state: str) -> Workspace:
        variables = {"VADE_STATE_DIRECTORY": str(self.base / state), "HOME": str(self.base)}
        return open_workspace(self.root, variables=variables)

    def _index(self, state: str) -> SqliteIndex:
        workspace = self._workspace(state)
        recipe = recipe_of(workspace.settings.chunk)
        return SqliteIndex(workspace.state, EMBEDDER.identity, recipe)

    @rule(path=st.sampled_from(PATHS), lines=LINES)
    def write(self, path: str, lines: list[str]) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("# Title\n\n" + "\n\n".join(lines))

    @rule(path=st.sampled_from(PATHS), line=st.sampled_from(WORDS))
    def append(self, path: str, line: str) -> None:
        if (self.root / path).exists():
            with (self.root / path).open("a") as file:
                file.write(f"\n\n{line}\n")

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=st.sampled_from(PATHS), onto=st.sampled_from(PATHS))
    def move(self, path: str, onto: str) -> None:
        if (self.root / path).exists():
            (self.root / onto).parent.mkdir(exist_ok=True)
            (self.root / path).rename(self.root / onto)

    @rule(path=st.sampled_from(PATHS))
    def touch(self, path: str) -> None:
        if (self.root / path).exists():
            os.utime(self.root / path, ns=(10**18, 10**18))

    @rule(vectors=st.booleans())
    def sync(self, vectors: bool) -> None:
        sync(self._workspace("state"), self.index, EMBEDDER if vectors else None)

    @rule()
    def reopen(self) -> None:
        self.index.close()
        self.index = self._index("state")

    @rule()
    def tidy(self) -> None:
        self.index.tidy()

    @invariant()
    def same_as_built_anew(self) -> None:
        if not hasattr(self, "index"):
            return
        sync(self._workspace("state"), self.index, EMBEDDER)
        fresh = self._index("fresh")
        plain = InMemoryIndex(identity=EMBEDDER.identity)
        for index in (fresh, plain):
            sync(self._workspace("fresh"), index, EMBEDDER)
        followed, scores = answers(self.index)
        for index in (fresh, plain):
            found, measured = answers(index)
            assert followed == found
            assert scores == pytest.approx(measured, abs=2e-3)
        assert self.index.verify() == []
        fresh.close()
        shutil.rmtree(self.base / "fresh")

    def teardown(self) -> None:
        if hasattr(self, "index"):
            self.index.close()
            shutil.rmtree(self.base)


TestCourse = pytest.mark.req("F-01", "I-04")(Course.TestCase)
TestCourse.settings = settings(
    max_examples=8,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
