"""What a question stands on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from vademecum.backends.sqlite.connection import PAGE_SIZE, checked_vfs
from vademecum.recall.search import Tuning
from vademecum.service.asking import tuning_of
from vademecum.testing import throwaway_memory
from vademecum.workspace.keys import SearchSettings


@pytest.mark.req("R-02")
def test_the_default_configuration_is_the_one_that_was_measured() -> None:
    assert tuning_of(SearchSettings()) == Tuning()


@pytest.mark.req("R-05", "F-08")
def test_what_cannot_be_read_makes_an_answer_incomplete_and_is_named(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("The lemur sleeps by day.\n")
    with throwaway_memory(root=tmp_path) as memory:
        assert memory.search("lemur", leg="keyword").coverage.complete
        linked = tmp_path / "workspace" / "memory" / "linked.md"
        os.link(elsewhere, linked)
        for answer in (
            memory.search("lemur", leg="keyword"),
            memory.recall("lemur", leg="keyword"),
        ):
            assert not answer.coverage.complete
            assert answer.coverage.unreadable == 1
            assert answer.reason.startswith("Nothing found in what can be read")
            assert "memory/linked.md" in answer.degraded[0].reason


@pytest.mark.req("R-05", "F-01")
def test_a_note_that_can_no_longer_be_read_is_answered_from_with_a_warning(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        note = tmp_path / "workspace" / "memory" / "lemur.md"
        note.write_text("The lemur sleeps by day.\n")
        assert not memory.search("lemur", leg="keyword").degraded
        os.link(note, tmp_path / "elsewhere")
        answer = memory.search("lemur", leg="keyword")
        assert [hit.span.path for hit in answer.hits] == ["memory/lemur.md"]
        assert not answer.coverage.complete
        assert "memory/lemur.md" in answer.degraded[0].reason


@pytest.mark.req("R-05")
def test_a_workspace_out_of_reach_is_no_reason_to_know_nothing(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        (tmp_path / "workspace").rename(tmp_path / "away")
        answer = memory.search("lemur", leg="keyword")
        assert answer.coverage.unreadable == 1
        assert answer.reason != "Nothing known: no note says anything about it."


@pytest.mark.req("R-05")
def test_notes_in_a_folder_out_of_reach_do_not_stand_for_those_not_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may read any folder")
    with throwaway_memory(root=tmp_path) as memory:
        folder = tmp_path / "workspace" / "memory" / "deep"
        folder.mkdir()
        (folder / "ibis.md").write_text("An ibis wades.\n")
        memory.sync()
        folder.chmod(0)
        secret = tmp_path / "workspace" / "memory" / "secret.md"
        secret.write_text("The lemur sleeps by day.\n")
        secret.chmod(0)
        answer = memory.search("lemur", leg="keyword")
        folder.chmod(0o700)
        assert answer.coverage.notes_indexed == answer.coverage.notes_on_disk - 1
        assert answer.coverage.unreadable == 2


@pytest.mark.req("F-01", "I-03")
def test_whichever_page_of_the_index_is_damaged_a_question_is_answered(tmp_path: Path) -> None:
    if checked_vfs() is None:
        pytest.skip("this build of SQLite does not check its pages")
    with throwaway_memory(root=tmp_path) as memory:
        for number in range(30):
            note = tmp_path / "workspace" / "memory" / f"note-{number}.md"
            note.write_text(f"# Note {number}\n\nThe lemur number{number} sleeps by day.\n")
        memory.sync()
        right = memory.search("number17", leg="keyword", limit=1).hits
    (sound,) = (tmp_path / "state").rglob("index.sqlite")
    state, kept = sound.parent, tmp_path / "kept"
    shutil.copytree(state, kept)
    pages = sound.stat().st_size // PAGE_SIZE
    assert pages > 10
    for page in range(pages):
        shutil.rmtree(state)
        shutil.copytree(kept, state)
        content = bytearray(sound.read_bytes())
        content[page * PAGE_SIZE + PAGE_SIZE // 2] ^= 0xFF
        sound.write_bytes(content)
        with throwaway_memory(root=tmp_path) as memory:
            answer = memory.search("number17", leg="keyword", limit=1)
            told = memory.recall("number17", leg="keyword", limit=1)
        assert answer.hits == right, page
        assert told.sources[0].span == right[0].span, page
