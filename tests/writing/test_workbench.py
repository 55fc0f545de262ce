"""The workbench may be overwritten whole; nothing else may, through any entry point."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from vademecum.core.errors import (
    AmbiguousTarget,
    AppendOnly,
    ChangedMeanwhile,
    InvalidText,
    NoteNotFound,
    NotFound,
    OverBudget,
    Refused,
    SecretFound,
)
from vademecum.core.provenance import Actor
from vademecum.workspace.workspace import Workspace
from vademecum.writing import frontmatter_edit, history, log, scaffold, undo, workbench


def now(workspace: Workspace) -> str:
    return workbench.show(workspace).data.decode()


@pytest.mark.req("F-07")
def test_the_workbench_is_made_overwritten_and_edited(workspace: Workspace, actor: Actor) -> None:
    with pytest.raises(NoteNotFound):
        workbench.show(workspace)
    workbench.replace(workspace, "First plan.", actor=actor)
    workbench.replace(workspace, "Second plan.\n\n- step\n\n", actor=actor)
    assert now(workspace) == "Second plan.\n\n- step\n"
    written = workbench.edit(workspace, "step", "step one", actor=actor)
    assert now(workspace) == "Second plan.\n\n- step one\n"
    assert (written.path, written.first, written.last) == ("NOW.md", 3, 3)


@pytest.mark.req("F-07", "B-01")
def test_an_edit_names_text_that_stands_there_once(workspace: Workspace, actor: Actor) -> None:
    workbench.replace(workspace, "one two two", actor=actor)
    with pytest.raises(NotFound, match=r"NOW\.md"):
        workbench.edit(workspace, "three", "x", actor=actor)
    with pytest.raises(AmbiguousTarget, match="2 times"):
        workbench.edit(workspace, "two", "x", actor=actor)
    for old, new in (("", "x"), ("one two two\n", "  ")):
        with pytest.raises(InvalidText):
            workbench.edit(workspace, old, new, actor=actor)
    assert now(workspace) == "one two two\n"


@pytest.mark.req("W-08")
def test_a_workbench_over_its_budget_is_refused_and_may_shrink(
    workspace: Workspace, actor: Actor
) -> None:
    workbench.replace(workspace, "short", actor=actor)
    budget = workspace.settings.budget.workbench
    with pytest.raises(OverBudget, match=f"{budget:,}") as caught:
        workbench.replace(workspace, "x" * budget, actor=actor)
    assert "vade log" in caught.value.hint
    assert now(workspace) == "short\n"
    (workspace.root / "NOW.md").write_text("x" * 2 * budget + " end\n")
    workbench.edit(workspace, " end", "", actor=actor)
    assert now(workspace) == "x" * 2 * budget + "\n"


@pytest.mark.req("B-02")
def test_a_text_made_from_an_older_version_is_merged_or_kept_aside(
    workspace: Workspace, actor: Actor
) -> None:
    first = workbench.replace(workspace, "goal\n\nplan\n\nnote", actor=actor)
    workbench.replace(workspace, "goal\n\nbetter plan\n\nnote", actor=Actor("ben"))
    done = workbench.replace(workspace, "high goal\n\nplan\n\nnote", actor=actor, base=first.digest)
    assert done.merged
    assert now(workspace) == "high goal\n\nbetter plan\n\nnote\n"
    with pytest.raises(ChangedMeanwhile, match=r"\.vade/conflicts/NOW\.conflict-"):
        workbench.replace(workspace, "low goal\n\nplan\n\nnote", actor=actor, base=first.digest)
    assert now(workspace) == "high goal\n\nbetter plan\n\nnote\n"


@pytest.mark.req("F-06", "F-07", "B-01")
def test_there_is_no_way_to_write_todays_log_anew(workspace: Workspace, actor: Actor) -> None:
    entry = log.append_entry(workspace, "kept", title="Kept", actor=actor)
    lines = (workspace.root / entry.path).read_bytes()
    anew = "# 2026-01-20\n\nwritten anew"
    attempts: list[Callable[[], object]] = [
        lambda: log.append_entry(workspace, anew, title=anew, actor=actor),
        lambda: workbench.replace(workspace, anew, actor=actor),
        lambda: workbench.replace(workspace, anew, actor=actor, base=entry.digest),
        lambda: workbench.edit(workspace, "kept", anew, actor=actor),
        lambda: frontmatter_edit.set_property(workspace, entry.path, "type", "x", actor=actor),
        lambda: frontmatter_edit.set_property(workspace, entry.path, "type", None, actor=actor),
        lambda: scaffold.init(workspace, actor=actor),
    ]
    for attempt in attempts:
        with contextlib.suppress(AppendOnly, NotFound, Refused):
            attempt()
        assert (workspace.root / entry.path).read_bytes().startswith(lines)
    assert history.changes(workspace, entry.path, limit=100)[-1].id == entry.change
    undo.undo(workspace, entry.change, actor=actor)
    taken = history.changes(workspace, entry.path)[0]
    assert (taken.verb, taken.undoes) == ("undo", entry.change)


@pytest.mark.req("F-07", "F-08")
def test_an_edit_keeps_windows_line_ends(workspace: Workspace, actor: Actor) -> None:
    (workspace.root / "NOW.md").write_bytes(b"# Now\r\n\r\none\r\ntwo\r\n")
    workbench.edit(workspace, "one\ntwo", "first\nsecond", actor=actor)
    assert now(workspace) == "# Now\r\n\r\nfirst\r\nsecond\r\n"


@pytest.mark.req("F-07", "B-04")
def test_an_edit_cannot_put_one_credential_in_place_of_another(
    workspace: Workspace, actor: Actor
) -> None:
    (workspace.root / "NOW.md").write_text("password: hunter2!x\nplan\n")
    workbench.edit(workspace, "plan", "plans", actor=actor)
    with pytest.raises(SecretFound):
        workbench.edit(workspace, "hunter2!x", "swordf1sh!", actor=actor)
