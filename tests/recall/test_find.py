"""Each leg proposes what can still win, and no more than that is looked at."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.notes import Role
from vademecum.core.ports import FileStamp, NoteRecord, PutNote
from vademecum.core.search import Coverage
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.parse import parse_note
from vademecum.recall.find import find
from vademecum.recall.parse import parse
from vademecum.recall.search import why_nothing

TODAY = date(2026, 1, 20)


def index_of(directory: Path, lines: int) -> SqliteIndex:
    text = "# Words\n\n" + "".join(f"- common word{number}\n" for number in range(lines))
    note = parse_note("words.md", text, Role.CONCEPT)
    index = SqliteIndex(directory, None)
    record = NoteRecord(note, FileStamp(len(text), 1, 1, 1), "0" * 32)
    index.apply([PutNote(record, chunk_note(note, text, ChunkRules()))])
    return index


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


@pytest.mark.req("R-05")
def test_what_is_unknown_and_what_is_unread_have_reasons_of_their_own() -> None:
    assert why_nothing(Coverage(3, 3, 9, 9)).startswith("Nothing known")
    assert "still to be read: 2 of 3 notes" in why_nothing(Coverage(3, 1, 9, 9))
    assert "1 of the files" in why_nothing(Coverage(3, 2, 9, 9, unreadable=1))
