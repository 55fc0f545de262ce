"""Many files at once: as safe as one by one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from vademecum.core.changes import Effect, Signature
from vademecum.core.errors import InvalidPath
from vademecum.core.ids import digest_of, new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.files import Files, New, open_files

AT = datetime(2026, 1, 20, 10, 30, tzinfo=UTC)


def signed() -> Signature:
    return Signature(new_entry_id(AT), AT, Actor("ada", "s"), "migrate", group="g")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    (tmp_path / "root").mkdir()
    return open_files(tmp_path / "root", tmp_path / "state")


@pytest.mark.req("B-02", "B-03")
def test_each_file_is_whole_and_has_its_line_in_the_ledger(files: Files, tmp_path: Path) -> None:
    new = [New(f"memory/{n % 3}/{n}.md", f"note {n}\n".encode(), signed()) for n in range(40)]
    made = files.create_all(new)
    recorded = list(files.records.ledger.changes())
    assert [change.path for change in recorded] == [one.path for one in new]
    assert tuple(recorded) == made
    for one, change in zip(new, recorded, strict=True):
        assert (tmp_path / "root" / one.path).read_bytes() == one.data
        assert (change.effect, change.after) == (Effect.CREATE, digest_of(one.data))
        assert files.records.blobs.get(change.after) == one.data
    assert list((tmp_path / "state/journal").iterdir()) == []
    assert files.reconcile(signed()) == []


@pytest.mark.req("F-04")
def test_a_file_that_is_there_is_left_and_the_others_are_made(files: Files) -> None:
    files.create("a.md", b"mine\n", signed())
    made = files.create_all([New("a.md", b"theirs\n", signed()), New("b.md", b"b\n", signed())])
    assert [change is not None for change in made] == [False, True]
    assert files.read("a.md").data == b"mine\n"


@pytest.mark.req("B-01")
def test_two_names_that_are_one_on_some_system_are_refused_before_anything_is_made(
    files: Files, tmp_path: Path
) -> None:
    with pytest.raises(InvalidPath):
        files.create_all([New(path, b"x\n", signed()) for path in ("x/Note.md", "x/note.md")])
    for path in ("../out.md", "x/CON.md"):
        with pytest.raises(InvalidPath):
            files.create_all([New("x/fine.md", b"x\n", signed()), New(path, b"x\n", signed())])
    assert list((tmp_path / "root").rglob("*.md")) == []
    made = files.create_all([New(path, b"x\n", signed()) for path in ("\u00e9.md", "e\u0301.md")])
    assert [change is not None for change in made] == [True, False]
