"""What is written or edited in the moment between two steps of a sync."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import team  # see conftest

from vademecum.core.provenance import Actor
from vademecum.workspace.git import Repository, repository_of
from vademecum.workspace.git.trees import steps
from vademecum.workspace.workspace import Workspace, open_workspace
from vademecum.writing.git_bring import Bringing
from vademecum.writing.git_edits import edits
from vademecum.writing.signing import sign

pytestmark = pytest.mark.req("B-02")
NOTE = "memory/facts/base0.md"
ACTOR = Actor("ben")


@pytest.fixture
def people(tmp_path: Path) -> tuple[Any, Any]:
    return team.team(tmp_path, seed=2)  # type: ignore[no-any-return]  # the harness is imported by its path, without types


def _clone(person: Any) -> tuple[Workspace, Repository]:
    place = person.root.parent
    opened = open_workspace(
        person.root,
        flags={"state.directory": str(place / f"{person.name}-state"), "workspace.zone": "UTC"},
        variables={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(place)},
        clock=person.clock,
    )
    repository = repository_of(person.root)
    assert isinstance(repository, Repository)
    return opened, repository


@pytest.mark.parametrize("edited", [True, False])
def test_a_note_that_others_removed_stays_only_where_it_is_edited_meanwhile(
    people: tuple[Any, Any], edited: bool
) -> None:
    ada, ben = people
    (ada.root / NOTE).unlink()
    ada.memory.git("sync")
    ben.git("fetch", "-q")
    workspace, repository = _clone(ben)
    found = steps(repository, repository.head(), ben.git("rev-parse", "origin/main^{tree}").strip())
    bringing = Bringing(workspace, repository, ACTOR, found)
    file = ben.root / NOTE
    if edited:
        file.write_text(file.read_text() + "\nWritten meanwhile.\n")
    assert (NOTE in bringing.moved_on()) is edited
    changed = bringing.take()
    assert file.exists() is edited
    assert (NOTE in changed) is not edited
    if edited:
        ben.memory.git("sync")
        ada.memory.git("sync")
        assert "Written meanwhile." in (ada.root / NOTE).read_text()


def test_what_was_written_a_moment_ago_is_no_edit_by_hand(people: tuple[Any, Any]) -> None:
    _, ben = people
    workspace, repository = _clone(ben)
    for path in ("memory/facts/new.md", "memory/facts/own.md"):
        workspace.files.create(path, b"# New\n", sign(workspace, ACTOR, "log", "new"))
    workspace.files.remove(workspace.files.read(NOTE), sign(workspace, ACTOR, "forget", "gone"))
    (ben.root / "memory/facts/own.md").write_text("# New, by hand\n")
    made = edits(workspace, repository, repository.head())
    assert made is not None
    assert made.paths == ("memory/facts/own.md",)
