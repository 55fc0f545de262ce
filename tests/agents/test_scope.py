"""What a call in an agent's name may take over from elsewhere, and what only a person may."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.conftest import Installation

from vademecum.agents.scope import find_caller
from vademecum.core.errors import Sealed
from vademecum.service import enrolling
from vademecum.service.memory import Memory, init
from vademecum.service.merging import merge_file
from vademecum.service.opening import check_content


def _reader_beside_a_removed_agent(installation: Installation) -> tuple[Path, Path, Memory]:
    """Return the memory that an agent left, another agent's, and that one opened in its name."""
    left, work = installation.agent("left"), installation.agent("work")
    installation.open("left").remember("The port is 4711", kind="decision", tag="stated")
    enrolling.remove("left")
    return left, work, installation.open("work")


@pytest.mark.req("A-02", "M-01")
def test_only_a_person_moves_one_memory_into_another(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, work, memory = _reader_beside_a_removed_agent(installation)
    plain = installation.home / "plain"
    init(plain, clock=installation.clock)
    nobody = installation.open("nobody", plain)
    note = next((left / "memory" / "decisions").glob("2*.md"))
    (installation.home / "by-link").symlink_to(left)
    elsewhere = installation.home / "by-link" / "memory"
    for source in (left, left / "memory", note, elsewhere, elsewhere / "decisions" / note.name):
        for opened in (memory, nobody):
            with pytest.raises(Sealed, match="only a person") as refused:
                opened.migrate(source)
            assert "Let a person run it" in refused.value.hint
        with pytest.raises(Sealed, match="only a person"):
            check_content(source, "work")
    with pytest.raises(Sealed, match="only a person"):
        memory.migrate(plain)
    person = installation.open(None, work)
    plan = person.migrate(left)
    assert any("decisions" in file.path for file in plan.files)
    with pytest.raises(Sealed, match="only a person"):
        memory.migrate(approved=plan)
    monkeypatch.chdir(installation.home)
    for versions in ((work / "USER.md", work / "USER.md", note), (note, note, note)):
        with pytest.raises(Sealed, match="only a person"):
            merge_file(*versions, agent="work")


@pytest.mark.req("A-02")
def test_a_removed_agents_memory_without_a_configuration_of_its_own_is_one_still(
    installation: Installation,
) -> None:
    installation.agent("work")
    left = installation.home / "left"
    (left / "memory").mkdir(parents=True)
    (left / "MEMORY.md").write_text("# Memory\n\n- The port is 4711\n", encoding="utf-8")
    memory = installation.open("work")
    assert memory.migrate(left).files
    enrolling.add("left", left)
    installation.open("left").status()
    enrolling.remove("left")
    for source in (left, left / "MEMORY.md", left / "memory"):
        with pytest.raises(Sealed, match="only a person"):
            memory.migrate(source)
    assert installation.open(None, installation.home / "work").migrate(left).files


@pytest.mark.req("A-02")
def test_the_state_of_a_removed_agent_is_taken_over_by_no_agent_wherever_it_is(
    installation: Installation,
) -> None:
    work, home = installation.agent("work"), installation.home / "elsewhere"
    installation.agent("left", state=str(home))
    state = Path(installation.open("left").status().state)
    installation.open("left").log("The port is 4711")
    enrolling.remove("left")
    assert state.parent == home
    caller = find_caller(work, None, "work")
    for path in (home, state, state / "ledger.jsonl", state / "transcripts" / "one.jsonl"):
        with pytest.raises(Sealed, match="only a person"):
            check_content(path, "work")
        check_content(path, None)
        if path != home:
            with pytest.raises(Sealed, match="only a person"):
                caller.check_transcript(path)


@pytest.mark.req("A-02")
def test_an_agent_takes_in_what_is_its_own_and_what_is_no_memory(
    installation: Installation,
) -> None:
    work = installation.agent("work")
    memory = installation.open("work")
    outside = installation.home / "outside"
    outside.mkdir()
    for file in (outside / "CLAUDE.md", work / "notes" / "old.md"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("# Old\n\n- Anna owns billing\n", encoding="utf-8")
        assert memory.migrate(file).files
        check_content(file, "work")
    # The home directory is a workspace too, whose memory the agent's own is not.
    init(installation.home, clock=installation.clock)
    assert memory.migrate(work / "notes").files
    check_content(work / "notes" / "old.md", "work")
    with pytest.raises(Sealed, match="only a person"):
        memory.migrate(outside)
    assert memory.export(installation.home / "bundle").notes


@pytest.mark.req("A-02", "C-04")
def test_a_hosts_transcript_is_read_in_a_home_directory_that_is_a_workspace_too(
    installation: Installation,
) -> None:
    left, work, _ = _reader_beside_a_removed_agent(installation)
    plain = installation.home / "project"
    for root in (installation.home, plain):
        init(root, clock=installation.clock)
    caller = find_caller(work, None, "work")
    for folder in (".claude/projects/-work", "Library/sessions", "work", "project/.claude/x"):
        caller.check_transcript(installation.home / folder / "one.jsonl")
    for folder in (left, plain, left / "memory"):
        with pytest.raises(Sealed, match="only a person"):
            caller.check_transcript(folder / "one.jsonl")
