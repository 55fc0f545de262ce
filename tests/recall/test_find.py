"""Each leg proposes what can still win, and no more than that is looked at."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.notes import Role
from vademecum.core.ports import DropNote, Embedder, FileStamp, NoteRecord, Purpose, PutNote
from vademecum.core.search import Coverage
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.parse import parse_note
from vademecum.recall.find import find
from vademecum.recall.fuse import Weights, on_one_scale, weighted
from vademecum.recall.parse import parse
from vademecum.recall.search import why_nothing
from vademecum.testing import small_embedder

TODAY = date(2026, 1, 20)


def index_of(directory: Path, lines: int, embedder: Embedder | None = None) -> SqliteIndex:
    index = SqliteIndex(directory, embedder and embedder.identity)
    put(index, "words.md", lines)
    return index


def put(index: SqliteIndex, path: str, lines: int) -> None:
    text = "# Words\n\n" + "".join(f"- common word{number}\n" for number in range(lines))
    note = parse_note(path, text, Role.CONCEPT)
    record = NoteRecord(note, FileStamp(len(text), 1, 1, 1), f"{lines:032x}")
    index.apply([PutNote(record, chunk_note(note, text, ChunkRules()))])


def embed(index: SqliteIndex, embedder: Embedder, most: int) -> None:
    waiting = index.pending(most)
    vectors = embedder.embed([one.passage for one in waiting], Purpose.PASSAGE)
    index.put_vectors([(one.digest, two) for one, two in zip(waiting, vectors, strict=True)])


@pytest.mark.req("R-02")
def test_words_that_are_everywhere_are_dropped_while_others_remain(tmp_path: Path) -> None:
    index = index_of(tmp_path, 300)
    found = find(index, None, parse("common word17", TODAY))
    assert found.words.query.terms == ("word17",)
    assert len(found.lexical) == 3  # the line and, for what stands around them, its neighbours
    assert find(index, None, parse("common", TODAY)).words.query.terms == ("common",)
    index.close()


@pytest.mark.req("R-02")
def test_a_leg_proposes_no_more_than_it_is_asked_for(tmp_path: Path) -> None:
    index = index_of(tmp_path, 300)
    assert len(find(index, None, parse("common", TODAY), breadth=50).lexical) == 50
    index.close()


@pytest.mark.req("R-02")
def test_a_question_of_a_thousand_words_asks_for_the_rarest(tmp_path: Path) -> None:
    index = index_of(tmp_path, 300)
    question = " ".join(f"word{number}" for number in range(300))
    assert len(find(index, None, parse(question, TODAY)).words.query.terms) <= 64
    index.close()


@pytest.mark.req("R-01", "R-07")
def test_what_is_usual_is_told_from_an_old_index_as_from_a_new_one(tmp_path: Path) -> None:
    embedder, question = small_embedder(), parse("common word17", TODAY)
    index = index_of(tmp_path / "new", 60, embedder)
    embed(index, embedder, 100)
    new = find(index, embedder, question)
    index.close()
    index = index_of(tmp_path / "old", 300, embedder)
    for number in range(8):
        put(index, f"{number}.md", 300)
    put(index, "last.md", 60)
    index.apply([DropNote("words.md"), *(DropNote(f"{number}.md") for number in range(8))])
    embed(index, embedder, 100)
    old = find(index, embedder, question)
    assert index.counts().chunks == 60
    assert min(old.semantic) > 2_000
    assert old.usual.mean == pytest.approx(new.usual.mean, abs=0.01)
    index.close()


@pytest.mark.req("R-01", "R-07")
def test_meaning_counts_as_much_as_there_are_vectors(tmp_path: Path) -> None:
    embedder, question = small_embedder(), parse("common word17", TODAY)
    index = index_of(tmp_path, 300, embedder)
    embed(index, embedder, 3)
    found = find(index, embedder, question)
    assert found.embedded == pytest.approx(0.01)
    few = Weights().of_known(found.embedded)
    fused = weighted(on_one_scale(found), few)
    best = max(fused, key=lambda chunk: fused[chunk])
    assert index.chunks([best])[best].text == "- common word17"
    assert Weights().of_known(1.0) == Weights()
    index.close()


@pytest.mark.req("R-05")
def test_what_is_unknown_and_what_is_unread_have_reasons_of_their_own() -> None:
    assert why_nothing(Coverage(3, 3, 9, 9)).startswith("Nothing known")
    assert "still to be read: 2 of 3 notes" in why_nothing(Coverage(3, 1, 9, 9))
    assert "1 of the files" in why_nothing(Coverage(3, 2, 9, 9, unreadable=1))
