"""Which file is the index, when it is swept, and what its seal refuses."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vademecum.backends.sqlite import generations
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.errors import IndexUnusable
from vademecum.core.ids import digest_of
from vademecum.core.notes import Role
from vademecum.core.ports import FileStamp, IndexState, KeywordQuery, NoteRecord, PutNote
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.parse import parse_note


def put(path: str, text: str) -> PutNote:
    note = parse_note(path, text, Role.CONCEPT)
    record = NoteRecord(note, FileStamp(1, 1, 1, 1), digest_of(text.encode()))
    return PutNote(record, chunk_note(note, text, ChunkRules()))


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.glob("index*.sqlite")}


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    made: list[SqliteIndex] = []

    def opener() -> SqliteIndex:
        made.append(SqliteIndex(tmp_path, None))
        return made[-1]

    yield opener
    for index in made:
        index.close()


Opener = Callable[[], SqliteIndex]


@pytest.mark.req("I-04")
def test_what_somebody_has_open_is_not_swept_and_later_it_is(
    tmp_path: Path, opened: Opener
) -> None:
    index, reader = opened(), opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    assert reader.counts().notes == 1  # holds the first generation
    fresh = index.renew()
    fresh.apply([put("a.md", "# A\n\nheron\n")])
    fresh.publish()
    assert names(tmp_path) == {"index.sqlite", "index-2.sqlite"}
    assert reader.counts().notes == index.counts().notes == 1  # both went over
    fresh.tidy()
    assert names(tmp_path) == {"index-2.sqlite"}
    assert not list(tmp_path.glob("index.sqlite*"))
    fresh.close()


@pytest.mark.req("I-04")
def test_a_successor_left_behind_by_a_process_that_died_is_swept(
    tmp_path: Path, opened: Opener
) -> None:
    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    left = index.renew()
    left.apply([put("b.md", "# B\n\notter\n")])
    left._release()  # as the end of its process would
    assert names(tmp_path) == {"index.sqlite", "index-2.sqlite"}
    index.tidy()
    assert names(tmp_path) == {"index.sqlite"}
    assert index.counts().notes == 1


@pytest.mark.req("F-01")
def test_a_log_lost_after_part_of_it_was_copied_is_noticed(tmp_path: Path, opened: Opener) -> None:
    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.tidy()  # copies under a seal
    index.apply([put("b.md", "# B\n\notter\n")])
    path = tmp_path / "index.sqlite"
    generations.seal(path, index.counts().revision)  # about to copy, then the machine died
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("index.sqlite", "index.sqlite.seal"):
        shutil.copy(tmp_path / name, copy / name)
    lost = SqliteIndex(copy, None)
    assert lost.condition().state is IndexState.DAMAGED
    assert "lost changes" in lost.condition().reason
    with pytest.raises(IndexUnusable):
        lost.counts()
    lost.close()


@pytest.mark.req("F-01")
@pytest.mark.parametrize("missing", [100, 8192])
def test_a_file_that_was_cut_is_not_read(tmp_path: Path, opened: Opener, missing: int) -> None:
    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.tidy()
    index.apply([put("b.md", "# B\n\notter\n")])
    index.tidy()  # sealed with the size that the file had before
    index.close()
    path = tmp_path / "index.sqlite"
    os.truncate(path, path.stat().st_size - missing)
    assert "was cut" in opened().condition().reason


@pytest.mark.req("F-01")
@pytest.mark.parametrize("content", ["", "rubbish", "../../etc/passwd\n", "index-x.sqlite\n"])
def test_a_pointer_or_seal_that_says_nothing_sensible_is_damage(
    tmp_path: Path, opened: Opener, content: str
) -> None:
    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.close()
    for name in ("index.current", "index.sqlite.seal"):
        kept = tmp_path / name
        before = kept.read_text() if kept.exists() else None
        kept.write_text(content)
        assert opened().condition().state is IndexState.DAMAGED
        if before is None:
            kept.unlink()
        else:
            kept.write_text(before)
    assert opened().condition().state is IndexState.READY


@pytest.mark.req("I-04")
def test_an_index_of_another_layout_is_replaced_and_its_vectors_are_tried(
    tmp_path: Path, opened: Opener
) -> None:
    import apsw

    from vademecum.backends.sqlite.connection import checked_vfs

    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.close()
    file = apsw.Connection(str(tmp_path / "index.sqlite"), vfs=checked_vfs())
    file.execute("PRAGMA user_version=999")
    file.close()
    index = opened()
    assert "another version" in index.condition().reason
    fresh = index.renew()
    fresh.apply([put("a.md", "# A\n\nheron\n")])
    fresh.publish()
    assert len(index.keyword_hits(KeywordQuery(("heron",)), 5)) == 1
    fresh.close()


@pytest.mark.req("I-03")
def test_readers_never_make_a_file_and_a_log_does_not_outlive_its_writer(
    tmp_path: Path, opened: Opener
) -> None:
    reader = opened()
    assert reader.counts().notes == 0
    assert list(tmp_path.iterdir()) == []
    index = opened()
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.close()
    log = tmp_path / "index.sqlite-wal"
    assert not log.exists() or log.stat().st_size == 0
