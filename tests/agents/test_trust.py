"""Whose word something is: no agent makes its own that of a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.conftest import Installation
from tests.agents.walk import words_in

from vademecum.core.errors import BadInput, EvidenceMissing, Refused
from vademecum.core.outcomes import Added
from vademecum.service import enrolling, hooking
from vademecum.service.memory import init, open_memory
from vademecum.service.opening import user_name


@pytest.mark.req("A-01")
@pytest.mark.parametrize("bound", [True, False])
def test_a_variable_makes_no_agent_a_person(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, bound: bool
) -> None:
    installation.agent("home")
    if bound:
        monkeypatch.setenv("VADE_AGENT", "home")
    monkeypatch.setenv("VADE_ACTOR_NAME", "home")
    memory = installation.open("home")
    outcome = memory.remember("The safe is blue", kind="fact", tag="stated")
    assert isinstance(outcome, Added)
    assert "[inferred] The safe is blue" in memory.get(outcome.span.path).text

    logged = memory.log("The door of the cellar is green.")
    with pytest.raises(EvidenceMissing):
        memory.remember(
            "The door of the cellar is green",
            kind="fact",
            tag="stated",
            source=f"{logged.path}:{logged.last}",
            quote="The door of the cellar is green",
        )


@pytest.mark.req("A-01")
def test_no_agent_gets_the_name_of_a_person_by_a_rename_or_a_configuration(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.agent("helper")
    with pytest.raises(BadInput, match="under which you write yourself"):
        enrolling.rename("helper", user_name().upper())
    monkeypatch.setenv("VADE_ACTOR_NAME", "maya")
    for call in (
        lambda: enrolling.rename("helper", "Maya"),
        lambda: installation.agent("maya"),
    ):
        with pytest.raises(BadInput, match="under which you write yourself"):
            call()
    assert [one.name for one in enrolling.agents().agents] == ["helper"]


@pytest.mark.req("A-01")
@pytest.mark.parametrize("configured", ["", "maya"])
def test_a_call_in_the_name_of_an_agent_has_not_the_name_of_a_person(
    installation: Installation, configured: str
) -> None:
    folder = installation.home / "free"
    init(folder, clock=installation.clock)
    if configured:
        file = installation.home / "config" / "vademecum" / "config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'[actor]\nname = "{configured}"\n', encoding="utf-8")
    name = configured or user_name()
    for call in (
        lambda: open_memory(folder, agent=name, clock=installation.clock),
        lambda: hooked(name, folder),
    ):
        with pytest.raises(BadInput, match="under which you write yourself"):
            call()


def hooked(agent: str, folder: Path) -> None:
    fields = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(folder)}
    hooking.answer(
        "claude-code",
        "UserPromptSubmit",
        {**fields, "prompt": "hello"},
        agent=agent,
        limit=9500,
        length=len,
    )


@pytest.mark.req("W-04")
@pytest.mark.req("A-02")
def test_an_agent_moves_nothing_in_as_stated_and_what_it_moves_in_is_its_own_in_the_ledger(
    installation: Installation,
) -> None:
    root = installation.agent("home")
    memory = installation.open("home")
    memory.remember("Anna likes tea", kind="fact", tag="observed")
    memory.export(installation.home / "export")
    (note,) = (installation.home / "export" / "memory" / "facts").glob("[!i]*.md")
    note.write_text(note.read_text("utf-8") + "- [stated] Anna hates tea ^aaaaaa\n", "utf-8")

    with pytest.raises(Refused, match="is a person's decision"):
        memory.migrate(installation.home / "export", own=True)
    before = words_in(root / "memory")
    report = memory.migrate(approved=memory.migrate(installation.home / "export"))
    assert "[observed] Anna hates tea" in words_in(root)
    assert "[stated] Anna" not in words_in(root)
    assert memory.history(session=report.id)
    assert {change.actor for change in memory.history(session=report.id)} == {"home"}

    memory.migrate(rollback=report.id)
    assert words_in(root / "memory") == before
    assert {one.actor for one in memory.history(session=f"{report.id}-back")} == {"home"}


@pytest.mark.req("A-01", "W-04")
def test_a_day_that_an_agent_moved_in_is_no_persons_word(installation: Installation) -> None:
    installation.agent("home")
    memory = installation.open("home")
    days = installation.home / "elsewhere" / "memory"
    days.mkdir(parents=True)
    day = "# 2026-01-05\n\n## 10:00\n\nThe key of the safe hangs in the hall.\n"
    (days / "2026-01-05.md").write_text(day, "utf-8")
    memory.migrate(approved=memory.migrate(days.parent))
    with pytest.raises(EvidenceMissing, match="at most"):
        memory.remember(
            "The key of the safe hangs in the hall",
            kind="fact",
            tag="stated",
            source="memory/2026-01-05.md:9",
            quote="The key of the safe hangs in the hall",
        )


@pytest.mark.req("A-01")
def test_an_empty_name_is_told_for_what_it_is(installation: Installation) -> None:
    with pytest.raises(BadInput, match="is no name for an agent"):
        enrolling.add("", installation.home)
