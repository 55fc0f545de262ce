"""Every verb is reachable everywhere it should be, and nothing is reachable that is no verb."""

from __future__ import annotations

import inspect
from pathlib import Path

import click

from vademecum.service.memory import Memory
from vademecum.service.verbs import VERBS
from vademecum.surfaces.cli.main import vade

# Methods that are no verbs: they open and close, or are plumbing that a verb's page names.
NO_VERBS = {"close", "notes"}
# Verbs that need no memory to be open, or open one themselves.
NONE_OPEN = {"init", "merge-file", "chat", "mcp", "hook", "install", "uninstall", "agents"}


def _commands() -> dict[str, click.Command]:
    context = click.Context(vade)
    named = {name: vade.get_command(context, name) for name in vade.list_commands(context)}
    return {name: command for name, command in named.items() if command is not None}


def test_commands_and_verbs_are_the_same_set() -> None:
    assert set(_commands()) == {verb.command for verb in VERBS}


def test_every_verb_is_a_method_of_memory_or_makes_one() -> None:
    public = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}
    assert {v.name for v in VERBS} - public - NONE_OPEN == set()
    assert public - {v.name for v in VERBS} - NO_VERBS == set()


def test_every_verb_has_a_tool_for_agents_or_a_reason_for_having_none() -> None:
    for verb in VERBS:
        assert verb.tool.startswith("memory_") or verb.why_no_tool.endswith("."), verb.name


def test_every_verb_is_on_its_documentation_page(repository: Path) -> None:
    for verb in VERBS:
        page = (repository / "docs" / "reference" / verb.page).read_text(encoding="utf-8")
        assert f"\n## vade {verb.command}\n" in page, verb.name


def test_every_command_shows_an_example_and_its_exit_codes() -> None:
    for name, command in _commands().items():
        assert getattr(command, "example", "").startswith("vade "), name
        assert getattr(command, "exits", ()), name


def test_every_option_is_explained() -> None:
    bare = [
        f"{name} {parameter.opts[0]}"
        for name, command in _commands().items()
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help
    ]
    assert bare == []
