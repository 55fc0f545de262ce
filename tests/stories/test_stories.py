"""Stories are tests: every console block is run in a real shell and its output compared."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
SHIM = HERE / "vade_at_a_frozen_time.py"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\[exit ([0-9]+)\]")
_REQUIREMENTS = re.compile(r"^Shows: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A command of a story, what it is to print and its exit code."""

    command: str
    output: str
    code: int


def steps_of(text: str) -> Iterator[Step]:
    """Yield the commands: lines that begin with `$ `; `> ` continues one; `[exit N]` ends one."""
    for block in _BLOCK.finditer(text):
        for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
            rows = part.rstrip("\n").split("\n")
            command = [rows.pop(0)]
            while rows and rows[0].startswith("> "):
                command.append(rows.pop(0)[2:])
            code = 0
            if rows and (match := _EXIT.fullmatch(rows[-1])):
                code = int(match[1])
                rows.pop()
            yield Step("\n".join(command), "\n".join(rows), code)


def matches(expected: str, actual: str) -> bool:
    """Whether `actual` is what was expected; `…` stands for anything, newlines included alone."""
    pattern = ""
    for row in expected.split("\n"):
        if row == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(piece.rstrip()) for piece in _pieces(row)) + r"[ ]*\n"
    return re.fullmatch(pattern, actual + "\n") is not None


def _pieces(row: str) -> list[str]:
    return row.split("…")


def run(steps: list[Step], place: Path) -> list[tuple[str, int]]:
    """Run the commands in one shell and return the output and exit code of each."""
    binaries = place / "bin"
    binaries.mkdir()
    vade = binaries / "vade"
    vade.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{SHIM}" "$@"\n')
    vade.chmod(vade.stat().st_mode | stat.S_IXUSR)
    script = f'at() {{ printf %s "$1" > "{place}/instant"; }}\nat 2026-01-20T10:30:00\n'
    for step in steps:
        script += f"{step.command}\nprintf '\\036%s\\036' \"$?\"\n"
    home = place / "home"
    home.mkdir()
    environment = {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "PYTHONPATH": str(SOURCE),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
        "VADE_STORY": str(place / "instant"),
    }
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    parts = done.stdout.decode("utf-8", "backslashreplace").split("\x1e")
    return [
        (output.removesuffix("\n"), int(code))
        for output, code in zip(parts[0::2], parts[1::2], strict=False)
    ]


def stories() -> Iterator[object]:
    """Yield every story as a parameter, with the requirements that it says it shows."""
    for path in sorted(HERE.glob("*.md")):
        shown = _REQUIREMENTS.search(path.read_text())
        assert shown, f"{path.name} names no requirement: it needs a line `Shows: F-04, F-06`"
        ids = [name.strip(" .`") for name in shown[1].split(",")]
        yield pytest.param(path, id=path.stem, marks=pytest.mark.req(*ids))


@pytest.mark.parametrize("story", list(stories()))
def test_the_story_goes_as_it_is_told(story: Path, tmp_path: Path) -> None:
    steps = list(steps_of(story.read_text()))
    assert steps
    wrong = [
        f"$ {step.command}\n{output}\n[exit {code}]\n--- but the story says\n{step.output}"
        for step, (output, code) in zip(steps, run(steps, tmp_path), strict=True)
        if code != step.code or not matches(step.output, output)
    ]
    assert not wrong, "\n\n".join(wrong)
