"""Which places a caller may name for a sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.core.errors import InvalidPath, NoteNotFound
from vademecum.testing import throwaway_memory


@pytest.mark.req("I-04")
def test_a_sync_of_a_place_with_no_note_is_an_error_and_syncs_nothing(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        (tmp_path / "workspace" / "memory" / "heron.md").write_text("A heron.\n")
        for place in ("nope.md", "memory/nope/", "mem"):
            with pytest.raises(NoteNotFound, match="no note at or below"):
                memory.sync([place])
        for place in ("../elsewhere", "/etc", ""):
            with pytest.raises(InvalidPath):
                memory.sync([place])
        assert memory.status().coverage.notes_indexed == 0


@pytest.mark.req("I-04")
def test_a_sync_of_a_folder_or_of_what_was_removed_is_none(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        note = tmp_path / "workspace" / "memory" / "heron.md"
        note.write_text("A heron.\n")
        assert memory.sync(["./memory/heron.md"]).added == 1
        note.unlink()
        assert memory.sync(["memory/"]).removed == 1
        note.write_text("A heron.\n")
        memory.sync(["."])
        note.unlink()
        assert memory.sync(["memory/heron.md"]).removed == 1
