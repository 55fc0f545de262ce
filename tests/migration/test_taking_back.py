"""Going on after a stop, moving in again, rolling back, finishing: no byte too many or too few."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, ChangedMeanwhile, NotFound, Refused
from vademecum.core.migration import Fate, MigrationReport, Phase, Treatment
from vademecum.service.memory import Memory

Lay = Callable[..., Path]
Move = Callable[[Path], MigrationReport]
Tree = Callable[[Path], dict[str, bytes | str]]
FILES = {
    "CLAUDE.md": "# Rules\n\n- Use tabs.\n\n## Team\n\n- Anna owns billing.\n",
    "memory/2026-01-20.md": "# 2026-01-20\n\n### 10:30 — Call\nAnna called.\n",
    "memory/people/anna.md": "# Anna\n\n- Lives in Bonn\n",
    "memory/people/karl.md": "# Karl\n\n- Lives in Kiel\n",
    "SOUL.md": "# Soul\n\nBe calm.\n",
}


@pytest.mark.req("M-01")
def test_moving_in_again_changes_nothing(
    lay: Lay, move: Move, memory: Memory, workspace: Path, tree: Tree
) -> None:
    source = lay(FILES)
    move(source)
    before = tree(workspace)
    plan = memory.migrate(source)
    assert plan.empty and {file.treatment for file in plan.files} == {Treatment.TWIN}
    assert memory.migrate(approved=plan).already
    assert tree(workspace) == before


@pytest.mark.req("M-01")
def test_moving_in_again_without_the_state_changes_nothing(
    lay: Lay, move: Move, memory: Memory, workspace: Path, tree: Tree, tmp_path: Path
) -> None:
    import shutil

    source = lay({path: text for path, text in FILES.items() if path != "SOUL.md"})
    move(source)
    before = tree(workspace)
    for kept in tmp_path.glob("state/*/migrations"):
        shutil.rmtree(kept)
    memory.migrate(approved=memory.migrate(source))
    after = tree(workspace)
    assert {path: text for path, text in after.items() if before.get(path) != text} == {}


@pytest.mark.req("M-01")
def test_of_a_source_that_grew_only_what_is_new_is_moved(
    lay: Lay, move: Move, workspace: Path
) -> None:
    source = lay(FILES)
    move(source)
    lay(
        {
            "memory/people/anna.md": "# Anna\n\n- Lives in Bonn\n- Plays chess\n",
            "memory/2026-01-20.md": FILES["memory/2026-01-20.md"] + "\n### 11:00 — Mail\nSent.\n",
            "CLAUDE.md": FILES["CLAUDE.md"] + "- Karl owns support.\n",
        }
    )
    report = move(source)
    anna = (workspace / "memory/people/anna.md").read_text()
    assert anna.count("[observed] Lives in Bonn") == 1 and "- [observed] Plays chess ^m" in anna
    log = (workspace / "memory/2026-01-20.md").read_text()
    assert log.count("Anna called.") == 1 and log.endswith("\n### 11:00 — Mail\nSent.\n")
    assert (workspace / "AGENTS.md").read_text().count("Use tabs.") == 1
    held = "".join(path.read_text() for path in (workspace / "memory/people").iterdir())
    assert held.count("Karl owns support.") >= 1
    assert {row.fate for row in report.accounts if row.source.path == "memory/people/karl.md"} == {
        Fate.DUPLICATE
    }


@pytest.mark.req("M-01")
def test_a_rollback_gives_identical_bytes_and_no_new_folder(
    lay: Lay, move: Move, memory: Memory, workspace: Path, tree: Tree
) -> None:
    memory.log("Own entry", title="Own")
    memory.remember("Anna leads the team", kind="person", by_person=True)
    source, before = lay(FILES), tree(workspace)
    held = tree(source)
    report = move(source)
    assert tree(workspace) != before and tree(source) == held
    back = memory.migrate(rollback="")
    assert (back.id, back.phase, back.left) == (report.id, Phase.ROLLED_BACK, ())
    assert tree(workspace) == before and tree(source) == held
    assert memory.migrate(rollback=report.id).phase is Phase.ROLLED_BACK
    move(source)
    assert {one.phase for one in memory.migrate()} == {Phase.ROLLED_BACK, Phase.DONE}


@pytest.mark.req("M-01")
def test_instructions_that_a_person_wrote_are_as_they_were_after_a_rollback(
    lay: Lay, move: Move, memory: Memory, workspace: Path, tree: Tree
) -> None:
    (workspace / "AGENTS.md").write_text("# Mine\n\nBe kind.")
    before = tree(workspace)
    move(lay({"CLAUDE.md": "- Use tabs.\n", "AGENTS.md": "- Never push.\n"}))
    assert (workspace / "AGENTS.md").read_text().count("## Imported from") == 2
    assert memory.migrate(rollback="").left == ()
    assert tree(workspace) == before


@pytest.mark.req("M-01")
def test_a_workspace_that_was_put_back_gets_everything_again(
    lay: Lay, move: Move, memory: Memory, workspace: Path, tree: Tree, tmp_path: Path
) -> None:
    import shutil

    source = lay(FILES)
    shutil.copytree(workspace, tmp_path / "backup")

    def put_back() -> None:
        shutil.rmtree(workspace)
        shutil.copytree(tmp_path / "backup", workspace)

    def there() -> dict[str, bytes | str]:
        # What a write of ours was saved over by is kept apart, for a person to look at.
        held = tree(workspace)
        return {path: held[path] for path in held if path.split("/")[0] != ".vade"}

    before = there()
    first = move(source)
    held = there()
    put_back()
    again = memory.migrate(source)
    assert not again.empty, "nothing of it is there any more"
    assert move(source).accounted == first.accounted
    assert there().keys() == held.keys()

    # And where it was put back while a migration was under way:
    put_back()
    (done,) = tmp_path.glob(f"state/*/migrations/{memory.migrate()[-1].id}")
    (done / "phase").write_text("applied\n")
    assert memory.migrate(source).resumes
    move(source)
    assert there().keys() == held.keys()
    assert "Use tabs." in (workspace / "AGENTS.md").read_text()
    assert memory.migrate(rollback="").left == ()
    assert there() == before


@pytest.mark.req("M-01", "B-03")
def test_what_others_wrote_since_stays_when_it_is_rolled_back(
    lay: Lay, move: Move, memory: Memory, workspace: Path
) -> None:
    move(lay(FILES))
    anna = workspace / "memory/people/anna.md"
    anna.write_text(anna.read_text() + "\nMine, by hand.\n")
    memory.remember("Postgres is the database", kind="fact", by_person=True)
    (workspace / "AGENTS.md").write_text((workspace / "AGENTS.md").read_text() + "\nMine too.\n")
    back = memory.migrate(rollback="")
    assert "Mine, by hand." in anna.read_text() and "] Lives in Bonn" not in anna.read_text()
    agents = (workspace / "AGENTS.md").read_text()
    assert "Mine too." in agents and "Use tabs." not in agents
    assert "Postgres is the database" in memory.recall("which database?").sources[0].text
    assert "facts/index.md" in (workspace / "memory/index.md").read_text()
    assert back.left == ()


@pytest.mark.req("M-01", "B-03")
def test_the_session_of_a_migration_can_be_undone(
    lay: Lay, move: Move, memory: Memory, workspace: Path
) -> None:
    source = lay(FILES)
    report = move(source)
    memory.undo(session=report.id)
    assert not (workspace / "memory/people/anna.md").exists()
    assert "Use tabs." not in (workspace / "AGENTS.md").read_text()
    assert not memory.migrate(source).empty, "what was taken back can be moved in again"


@pytest.mark.req("M-01")
def test_finishing_lets_the_copies_go_and_never_the_source(
    lay: Lay, move: Move, memory: Memory, tree: Tree, tmp_path: Path
) -> None:
    source = lay(FILES)
    held, report = tree(source), move(source)
    assert len(list(tmp_path.glob("state/*/migrations/*/staged/*"))) == len(FILES)
    assert memory.migrate(finish="").phase is Phase.FINISHED
    assert list(tmp_path.glob("state/*/migrations/*/staged")) == []
    assert tree(source) == held
    assert memory.migrate(finish=report.id).phase is Phase.FINISHED
    with pytest.raises(NotFound):
        memory.migrate(finish="")
    assert memory.migrate(source).empty


@pytest.mark.req("M-01")
def test_a_source_that_changed_after_it_was_planned_is_not_moved(
    lay: Lay, memory: Memory, workspace: Path, tree: Tree
) -> None:
    source = lay(FILES)
    plan, before = memory.migrate(source), tree(workspace)
    lay({"CLAUDE.md": "# Other\n"})
    with pytest.raises(ChangedMeanwhile):
        memory.migrate(approved=plan)
    assert tree(workspace) == before


@pytest.mark.req("M-01")
def test_what_cannot_be_done_is_refused(lay: Lay, move: Move, memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.migrate(rollback="")
    with pytest.raises(NotFound):
        memory.migrate(finish="nothing")
    report = move(lay(FILES))
    memory.migrate(rollback="")
    with pytest.raises(Refused):
        memory.migrate(finish=report.id)
    with pytest.raises(BadInput):
        memory.migrate("x", rollback="")  # type: ignore[call-overload]  # the wrong call is what is tested
