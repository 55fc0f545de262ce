"""The command line as a whole: help, exit codes, errors said once."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from vademecum.core import errors
from vademecum.service.memory import init
from vademecum.service.verbs import VERBS
from vademecum.surfaces.cli import exits
from vademecum.surfaces.cli.main import SUMMARIES, status_of, vade
from vademecum.surfaces.cli.verb import Call, VerbCommand
from vademecum.testing import FrozenClock


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a new workspace."""
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    init(tmp_path / "notes", clock=FrozenClock())
    monkeypatch.chdir(tmp_path / "notes")
    return tmp_path / "notes"


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


TASK = "- [ ] Water the pepper plants, --all of them"


@pytest.mark.req("B-06")
@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        (["log", "--title", "Plants"], [], ["get", "memory/2026-01-20.md"]),
        (["log"], ["--title", "Plants"], ["get", "memory/2026-01-20.md"]),
        (["log", "Tasks:"], ["-w", "."], ["get", "memory/2026-01-20.md"]),
        (["log", "x", "--title"], [], ["get", "memory/2026-01-20.md"]),
        (["log", "--"], [], ["get", "memory/2026-01-20.md"]),
        (["now", "set"], [], ["now"]),
        (["remember", "--tag", "observed"], ["--kind", "fact"], ["search", "pepper"]),
    ],
)
def test_a_text_may_be_an_item_of_a_list(
    before: list[str],
    after: list[str],
    read: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    call = Call(clock=FrozenClock())
    assert status_of([*before, TASK, *after], call) == 0
    capsys.readouterr()
    assert status_of(read, call) == 0
    assert "Water the pepper plants, --all of them" in capsys.readouterr().out


@pytest.mark.req("B-06")
@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("verb", ["recall", "search", "search --transcripts", "flush"])
def test_every_verb_takes_such_a_text(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (TASK, "-- signed, the gardener", "---\nkind: task"):
        status_of([*verb.split(), text], Call(clock=FrozenClock()))
        assert "option" not in capsys.readouterr().err


@pytest.mark.req("B-06")
def test_what_could_be_an_option_and_is_none_is_an_error_of_one_sentence(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given, said in (
        ("-x", "There is no option -x."),
        ("--titel=Plants", "There is no option --titel. Did you mean --title or --help?"),
        ("-[ ] task", "There is no option -[."),
    ):
        assert status_of(["log", given, "text"]) == 2
        assert capsys.readouterr().err.startswith(f"error: {said}\n")
    assert not (notes / "memory" / "2026-01-20.md").exists()


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
