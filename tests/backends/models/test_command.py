"""A program as a model: asked without a shell, believed only in the form that was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def child_of(folder: Path, rest: str) -> str:
    """Return a program that starts a child of its own, which would run for a minute."""
    return (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(folder / 'child')!r}, 'w').write(str(child.pid))\n{rest}"
    )


def has_ended(folder: Path) -> bool:
    """Whether the child is gone, or waits for nobody but who has to bury it."""
    child = (folder / "child").read_text()
    for _ in range(200):
        ended = subprocess.run(["ps", "-o", "stat=", "-p", child], capture_output=True, check=False)
        if ended.stdout.strip()[:1] in (b"", b"Z"):
            return True
    return False


@pytest.mark.req("C-03")
def test_a_program_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        model(child_of(tmp_path, "time.sleep(60)"), timeout=1.0).ask("Summarise.", WANTED)
    assert caught.value.transient
    assert has_ended(tmp_path)


@pytest.mark.req("C-03")
def test_a_program_that_leaves_a_child_behind_has_answered_and_the_child_is_ended(
    tmp_path: Path,
) -> None:
    said = 'print(\'{"goal": ["a"], "files": []}\', flush=True)'
    reply = model(child_of(tmp_path, said), timeout=20.0).ask("Summarise.", WANTED)
    assert reply.texts == {"goal": ("a",), "files": ()}
    assert has_ended(tmp_path)


@pytest.mark.req("C-03")
def test_a_program_that_prints_without_end_is_ended_and_little_of_it_is_held() -> None:
    asking = (
        "import resource, sys\n"
        "from vademecum.backends.models.command import CommandModel\n"
        "from vademecum.core.errors import ModelUnavailable\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: CommandModel(['yes', 'a' * 1000], 60.0).ask('Summarise.', {'goal': ''})\n"
        "except ModelUnavailable as error: print(error)\n"
        "grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "print(grown // (1024 if sys.platform == 'linux' else 1024 * 1024))\n"
    )
    ended = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True)
    why, grown = ended.stdout.splitlines()
    assert "printed more than" in why
    assert int(grown) < 30


@pytest.mark.req("C-03")
def test_a_prompt_and_an_answer_longer_than_any_pipe_pass() -> None:
    program = (
        "import json, sys; print('x' * 3_000_000, flush=True); asked = sys.stdin.read()\n"
        "print(json.dumps({'goal': [str(len(asked) > 900_000)], 'files': ['y' * 500_000]}))"
    )
    reply = model(program).ask("Summarise. " * 100_000, WANTED)
    assert reply.texts == {"goal": ("True",), "files": ("y" * 500_000,)}


@pytest.mark.req("C-03")
def test_a_program_that_reads_nothing_may_still_answer() -> None:
    program = 'print(\'{"goal": [], "files": ["a"]}\')'
    reply = model(program).ask("Summarise. " * 100_000, WANTED)
    assert reply.texts == {"goal": (), "files": ("a",)}


@pytest.mark.req("C-03")
def test_an_answer_is_found_behind_any_number_of_events_and_before_words_after_it() -> None:
    program = (
        "import json\n"
        "for number in range(300): print(json.dumps({'event': number, 'of': {'a': {}}}))\n"
        "for number in range(300): print('if (x) { y }')\n"
        "print(json.dumps({'goal': ['use {x}'] * 80, 'files': []}, indent=2))\n"
        "print('{done}')\n"
    )
    reply = model(program).ask("Summarise.", WANTED)
    assert reply.texts == {"goal": ("use {x}",) * 80, "files": ()}


@pytest.mark.req("C-03")
def test_a_program_that_is_missing_is_said_so() -> None:
    for command, hint in (
        ([], "Set model.command"),
        (["/nowhere/model"], "Check model.command"),
        (["/nowhere/model -p"], "apart in model.command: /nowhere/model, -p"),
    ):
        with pytest.raises(ModelUnavailable) as caught:
            CommandModel(command, 1.0).ask("Summarise.", WANTED)
        assert hint in caught.value.hint
