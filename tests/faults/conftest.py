"""Running one write under strace: traced, killed at a system call, or handed an error there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from vademecum.workspace.files import Files, open_files

HERE = Path(__file__).parent
sys.path.append(str(HERE))  # tests of teams share `team`, which their child processes import too
OPERATION = HERE / "operation.py"
LOG = b"# day\n\nfirst\n"
NOTE = b"# note\n\n- old ^aa1\n- other ^bb2\n"
_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$")


@dataclass(frozen=True)
class Outcome:
    """What one run left."""

    files: Files
    root: Path
    state: Path
    said: str
    """What it said after `ready`: an acknowledgement, a refusal, or nothing."""
    trace: tuple[str, ...]

    @property
    def acknowledged(self) -> bool:
        return self.said.startswith("ack ")

    def content(self, name: str) -> bytes | None:
        path = self.root / "memory" / name
        return path.read_bytes() if path.exists() else None

    def calls(self) -> list[tuple[str, int, str]]:
        """Return each system call with how many of its name came before, and its arguments."""
        seen: dict[str, int] = {}
        found = []
        for line in self.trace:
            match = _CALL.match(line)
            if match:
                name = match[1]
                found.append((name, seen.get(name, 0), match[2]))
                seen[name] = seen.get(name, 0) + 1
        return found


Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def strace() -> str:
    """Return the program, or skip where it is missing or may not trace."""
    program = shutil.which("strace")
    if not program:
        pytest.skip("strace is not installed; `apt install strace` to run the fault tests")
    tried = subprocess.run([program, "-o", "/dev/null", "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("this container does not let strace trace")
    return program


def set_up(place: Path) -> tuple[Path, Path]:
    root, state = place / "root", place / "state"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "log.md").write_bytes(LOG)
    (root / "memory" / "note.md").write_bytes(NOTE)
    return root, state


def run_operation(
    strace: str, place: Path, kind: str, *options: str, program: Path = OPERATION
) -> Outcome:
    """Carry out one write of `kind`, traced from the moment that everything is loaded."""
    root, state = set_up(place)
    trace = place / "trace"
    with subprocess.Popen(
        [sys.executable, str(program), str(root), str(state), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        first = process.stdout.readline()
        assert first == "ready\n", process.stderr.read()
        with subprocess.Popen(
            [strace, "-f", "-y", "-xx", "-s", "9999", "-o", str(trace), *options]
            + ["-p", str(process.pid)],
            stderr=subprocess.PIPE,
            text=True,
        ) as tracer:
            assert tracer.stderr
            attached = tracer.stderr.readline()
            if "attached" not in attached:
                process.kill()
                pytest.skip(f"strace cannot attach here: {attached.strip()}")
            with suppress(BrokenPipeError):  # the kill may come before the word to go on
                process.stdin.write("go\n")
                process.stdin.close()
            said = process.stdout.read().strip()
            process.wait()
            tracer.wait()
    lines = tuple(trace.read_text(errors="replace").splitlines())
    return Outcome(open_files(root, state), root, state, said, lines)


@pytest.fixture
def run(strace: str, tmp_path: Path) -> Run:
    count = iter(range(10_000))

    def start(kind: str, *options: str, program: Path = OPERATION) -> Outcome:
        return run_operation(
            strace, tmp_path / f"run-{next(count)}", kind, *options, program=program
        )

    return start
