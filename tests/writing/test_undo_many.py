"""Taking back a call, a session, an actor; and history of one claim."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from vademecum.core.changes import Signature
from vademecum.core.errors import LedgerEntryNotFound, Refused
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace
from vademecum.writing.forget import forget
from vademecum.writing.history import changes
from vademecum.writing.log import append_entry
from vademecum.writing.signing import sign
from vademecum.writing.undo import undo
from vademecum.writing.undo_many import undo_of

BOB = Actor("bob", "session-2")
NOTE = "memory/a.md"


def rewrite(workspace: Workspace, old: str, new: str, actor: Actor, group: str = "") -> None:
    base = workspace.files.read(NOTE)
    data = base.data.replace(old.encode(), new.encode())
    assert data != base.data
    workspace.files.replace(base, data, sign(workspace, actor, "remember", group=group))


@pytest.fixture
def note(workspace: Workspace) -> Path:
    file = workspace.root / NOTE
    file.parent.mkdir()
    file.write_text("# A\n\n- one ^aaa1\n\n- two ^bbb2\n\n- three ^ccc3\n")
    return file


@pytest.mark.req("B-03")
def test_a_session_is_taken_back_and_what_others_wrote_stays(
    workspace: Workspace, actor: Actor, note: Path
) -> None:
    rewrite(workspace, "- one", "- 1", actor)
    append_entry(workspace, "Ada was here.", actor=actor)
    rewrite(workspace, "- three", "- 3", BOB)
    append_entry(workspace, "Bob was here.", actor=BOB)
    done = undo_of(workspace, session="session-1", actor=Actor("carol"))
    assert note.read_text() == "# A\n\n- one ^aaa1\n\n- two ^bbb2\n\n- 3 ^ccc3\n"
    log = (workspace.root / "memory/2026-01-20.md").read_text()
    assert "Ada" not in log
    assert "Bob was here." in log
    assert done.left == ()
    assert len(done.written) == 2
    groups = {change.group for change in workspace.ledger.changes(verb="undo")}
    assert len(groups) == 1
    assert all(groups)


@pytest.mark.req("B-03")
def test_what_was_changed_meanwhile_is_refused_and_both_versions_are_kept(
    workspace: Workspace, actor: Actor, note: Path
) -> None:
    rewrite(workspace, "- one", "- 1", actor)
    rewrite(workspace, "- two", "- 2", actor)
    rewrite(workspace, "- 1", "- 1, says Bob", BOB)
    done = undo_of(workspace, by="ada", actor=Actor("carol"))
    assert note.read_text() == "# A\n\n- 1, says Bob ^aaa1\n\n- two ^bbb2\n\n- three ^ccc3\n"
    (left,) = done.left
    assert "- one ^aaa1" in (workspace.root / left.kept).read_text()
    assert "cannot be taken back" in left.why


@pytest.mark.req("B-03")
def test_what_a_session_forgot_comes_back_only_when_that_is_named(
    workspace: Workspace, actor: Actor, note: Path
) -> None:
    stone = forget(workspace, ["^bbb2"], actor=actor)[0].stone
    assert undo_of(workspace, session="session-1", actor=BOB).written == ()
    assert "two" not in note.read_text()
    undo(workspace, stone, actor=BOB)
    assert "- two ^bbb2" in note.read_text()


@pytest.mark.req("B-03")
def test_taking_back_twice_changes_nothing_the_second_time(
    workspace: Workspace, actor: Actor, note: Path
) -> None:
    before = note.read_text()
    rewrite(workspace, "- one", "- 1", actor)
    (first,) = undo_of(workspace, by="ada", actor=BOB).written
    assert undo_of(workspace, by="ada", actor=BOB).written == ()
    assert note.read_text() == before
    undo(workspace, first.change, actor=BOB)
    assert "- 1 ^aaa1" in note.read_text()
    assert len(undo_of(workspace, by="ada", actor=BOB).written) == 1
    assert note.read_text() == before


@pytest.mark.req("B-03")
def test_a_call_is_taken_back_by_its_group_or_by_its_only_change(
    workspace: Workspace, actor: Actor, note: Path
) -> None:
    before = note.read_text()
    group = new_entry_id(workspace.clock.now())
    rewrite(workspace, "- one", "- 1", actor, group)
    rewrite(workspace, "- two", "- 2", actor, group)
    assert len(undo(workspace, group, actor=actor)) == 2
    assert note.read_text() == before
    entry = append_entry(workspace, "Alone.", actor=actor)
    assert len(undo(workspace, entry.change, actor=actor)) == 1
    with pytest.raises(Refused):
        undo(workspace, entry.change, actor=actor)
    with pytest.raises(LedgerEntryNotFound):
        undo(workspace, "nothing", actor=actor)
    with pytest.raises(LedgerEntryNotFound):
        undo_of(workspace, session="nobody", actor=actor)


@pytest.mark.req("B-03")
def test_history_tells_what_became_of_one_claim_since_a_day(
    workspace: Workspace, actor: Actor, note: Path, clock: FrozenClock
) -> None:
    rewrite(workspace, "- one", "- 1", actor)
    rewrite(workspace, "- two", "- 2", actor)
    clock.advance(days=2)
    rewrite(workspace, "- 1 ", "- ~~1~~ superseded 2026-01-22 ", BOB)
    found = changes(workspace, claim="^aaa1")
    assert [change.actor for change in found] == ["bob", "ada"]
    assert [c.actor for c in changes(workspace, claim="aaa1", since=date(2026, 1, 22))] == ["bob"]
    assert changes(workspace, claim="aaa") == ()
    assert isinstance(sign(workspace, actor, "x"), Signature)
    assert note.exists()
