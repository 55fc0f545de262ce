"""A program as a model: asked without a shell, believed only in the form that was asked for."""

from __future__ import annotations

import sys

import pytest

from vademecum.backends.models.command import CommandModel
from vademecum.core.errors import ModelUnavailable

WANTED = {"goal": "what is wanted", "files": "paths"}


def model(program: str, timeout: float = 30.0) -> CommandModel:
    return CommandModel([sys.executable, "-c", program], timeout)


@pytest.mark.req("C-03")
def test_the_answer_is_found_in_whatever_is_printed() -> None:
    program = (
        "import sys; asked = sys.stdin.read(); assert 'what is wanted' in asked\n"
        'print(\'Sure {thing}: ```json {"goal": ["a \\\\n b"], "files": "x.py"} ``` done\')'
    )
    reply = model(program).ask("Summarise.", WANTED)
    assert reply.texts == {"goal": ("a b",), "files": ("x.py",)}
    assert reply.usage.estimated and reply.usage.sent > 10 and reply.usage.received > 10


@pytest.mark.req("C-03")
@pytest.mark.parametrize(
    "program",
    ["print('no')", "print('{\"goal\": []}')", "print('{\"goal\": 3, \"files\": []}')",
     "print('{' * 100000)"],
)  # fmt: skip
def test_any_other_answer_is_none_and_what_is_amiss_is_told(program: str) -> None:
    reply = model(program).ask("Summarise.", WANTED)
    assert reply.texts is None and "goal, files" in reply.amiss


@pytest.mark.req("C-03")
def test_a_program_that_fails_does_not_answer() -> None:
    with pytest.raises(ModelUnavailable):
        model("raise SystemExit(3)").ask("Summarise.", WANTED)


@pytest.mark.req("C-03")
def test_what_no_note_can_hold_is_left_out_of_an_answer() -> None:
    program = r"""print(r'{"goal": ["a\u0000b\ud800c"], "files": []}')"""
    reply = model(program).ask("Summarise.", WANTED)
    assert reply.texts == {"goal": ("abc",), "files": ()}


@pytest.mark.req("C-03")
def test_a_program_that_hangs_is_ended_with_what_it_started() -> None:
    program = (
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "time.sleep(60)"
    )
    with pytest.raises(ModelUnavailable) as caught:
        model(program, timeout=1.0).ask("Summarise.", WANTED)
    assert caught.value.transient


@pytest.mark.req("C-03")
def test_a_program_that_is_missing_is_said_so() -> None:
    for command in ([], ["/nowhere/model"]):
        with pytest.raises(ModelUnavailable):
            CommandModel(command, 1.0).ask("Summarise.", WANTED)
