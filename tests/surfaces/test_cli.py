"""The command line as a whole: help, exit codes, errors said once."""

from __future__ import annotations

import json

import click
import pytest

from vademecum.core import errors
from vademecum.service.verbs import VERBS
from vademecum.surfaces.cli import exits
from vademecum.surfaces.cli.main import SUMMARIES, status_of, vade
from vademecum.surfaces.cli.verb import VerbCommand


def commands() -> list[VerbCommand]:
    context = click.Context(vade)
    found = [vade.get_command(context, name) for name in SUMMARIES]
    return [command for command in found if isinstance(command, VerbCommand)]


@pytest.mark.req("B-06")
def test_every_verb_has_a_command_and_every_command_is_a_verb() -> None:
    assert {verb.command for verb in VERBS} == set(SUMMARIES)
    assert {command.name for command in commands()} == set(SUMMARIES)


@pytest.mark.req("B-06")
@pytest.mark.parametrize("name", SUMMARIES)
def test_each_help_has_an_example_and_exit_codes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"vade {name}" in shown[shown.index("Example:") :]
    listed = shown[shown.index("Exit codes:") :]
    for code in (0, 1, 130):
        assert f"  {code}  " in listed


@pytest.mark.req("B-06")
def test_the_table_of_exit_codes_has_every_code_an_error_can_give() -> None:
    def tree(kind: type[errors.VademecumError]) -> list[type[errors.VademecumError]]:
        return [kind, *(below for sub in kind.__subclasses__() for below in tree(sub))]

    assert {kind.exit_code for kind in tree(errors.VademecumError)} <= set(exits.MEANING)


@pytest.mark.req("B-06")
@pytest.mark.parametrize(
    "arguments",
    [["nothing"], ["search"], ["recall", "x", "-k", "none"], ["log", "--nope", "x"], ["get"]],
)
def test_a_slip_in_the_call_is_one_sentence_with_a_hint(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    said, hint = err.rstrip("\n").split("\n")
    assert said.startswith("error: ")
    assert hint.startswith("hint: ")


@pytest.mark.req("B-06")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_json_may_stand_anywhere_and_holds_errors_too(
    place: int, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["search", "--keyword", "--semantic", "x"]
    arguments.insert(place, "--json")
    assert status_of(arguments) == 2
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out)["error"]["code"] == "bad-input"


@pytest.mark.req("B-06")
def test_help_and_version_need_no_workspace(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["--version"]) == 0
    capsys.readouterr()
    assert status_of([]) == 0
    bare = capsys.readouterr().out
    assert status_of(["--help"]) == 0
    shown = capsys.readouterr().out
    assert bare == shown
    for summary in SUMMARIES.values():
        assert summary in shown
