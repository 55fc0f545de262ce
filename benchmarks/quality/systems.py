"""What answers: the product through its public interface, and plain BM25 over single lines."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import apsw

from benchmarks.quality.scorer import Lines
from vademecum import open_memory
from vademecum.markdown.tokens import FTS5_TOKENIZER, index_text, query_terms

DEPTH = 100
"""Results that are looked at for each question."""


class Searcher(Protocol):
    """Answers a question with places, best first."""

    def __call__(self, question: str) -> list[Lines]: ...


@contextmanager
def product(workspace: Path, scratch: Path) -> Iterator[Searcher]:
    """Open a copy of the workspace with the default configuration and read it all."""
    copy = scratch / "workspace"
    shutil.copytree(workspace, copy)
    settings = {"state.directory": str(scratch / "state"), "workspace.zone": "UTC"}
    with open_memory(copy, settings=settings, variables={}) as memory:
        memory.sync()

        def answer(question: str) -> list[Lines]:
            found = memory.search(question, limit=DEPTH)
            return [Lines(hit.span.path, hit.span.first, hit.span.last) for hit in found.hits]

        yield answer
    shutil.rmtree(copy)
    shutil.rmtree(scratch / "state", ignore_errors=True)


_PARAGRAPH_BREAK = re.compile(r"^(?:\s*|#{1,6}\s.*)$")


@contextmanager
def plain_bm25(workspace: Path) -> Iterator[Searcher]:
    """Put every line that is no heading into one FTS5 table and rank by `bm25()`.

    Characters of unspaced scripts are cut into pairs and stop words are left off the question, as
    in the product: both are what it takes to be a baseline at all.
    """
    table = apsw.Connection(":memory:")
    table.execute(f'CREATE VIRTUAL TABLE lines USING fts5(text, tokenize="{FTS5_TOKENIZER}")')
    places: list[Lines] = []
    with table:
        for file in sorted(workspace.rglob("*.md")):
            path = file.relative_to(workspace).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                if not _PARAGRAPH_BREAK.match(line):
                    places.append(Lines(path, number, number))
                    table.execute(
                        "INSERT INTO lines(rowid, text) VALUES(?, ?)",
                        (len(places), index_text(line)),
                    )

    def answer(question: str) -> list[Lines]:
        match = " OR ".join(f'"{term.text}"' for term in query_terms(question).terms)
        if not match:
            return []
        rows = table.execute(
            "SELECT rowid FROM lines WHERE lines MATCH ? ORDER BY rank LIMIT ?", (match, DEPTH)
        )
        return [places[rowid - 1] for (rowid,) in rows]

    yield answer
    table.close()
