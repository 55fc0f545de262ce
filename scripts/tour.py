"""Fill the README's console blocks with what the commands print: `tour.py [--check]`.

Runs every line that begins with `$ ` in a copy of the sample workspace, with the bundled model and
a clock that stands at the end of the sample's last day. Ids, which differ from run to run, are
shown as `01…`. Run it with the Python of `.venv`; `--check` writes nothing and exits with 1 when
the README shows something else.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
README = REPOSITORY / "README.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\b01[0-9a-z]{16}\b")
_MARK = "\x1e"
_VADE = """
import sys
from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock
clock = FrozenClock("2026-11-06T17:05:00", "Europe/Berlin")
sys.exit(status_of(sys.argv[1:], Call(clock=clock)))
"""


def main(arguments: list[str]) -> int:
    """Return 1 when `--check` finds that the README shows something else, else 0."""
    shown = README.read_text(encoding="utf-8")
    real = filled(shown)
    if shown == real:
        return 0
    if "--check" in arguments:
        lines = difflib.unified_diff(shown.splitlines(), real.splitlines(), "shown", "real", n=1)
        print("\n".join([*lines, "Run `python scripts/tour.py`."]), file=sys.stderr)
        return 1
    README.write_text(real, encoding="utf-8")
    print("Written: README.md")
    return 0


def filled(text: str) -> str:
    """Return the page with the output of every command as it is now."""
    commands = [line for block in _BLOCK.findall(text) for line in _commands(block)]
    printed = iter(outputs(commands))

    def block_of(match: re.Match[str]) -> str:
        rows = [f"$ {line}\n{next(printed)}\n" for line in _commands(match[1])]
        return "```console\n" + "".join(rows) + "```"

    return _BLOCK.sub(block_of, text)


def _commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def outputs(commands: list[str]) -> list[str]:
    """Run the commands in one shell, one after another, and return what each prints."""
    with tempfile.TemporaryDirectory(prefix="vade-tour-") as made:
        place = Path(made)
        shutil.copytree(REPOSITORY / "examples" / "workspace", place / "demo")
        (place / "vade.py").write_text(_VADE, encoding="utf-8")
        script = f'vade() {{ "{sys.executable}" "{place / "vade.py"}" "$@"; }}\n'
        script += "vade sync > /dev/null 2>&1\n"
        # A page is never filled with an error: the first command that fails ends the run.
        script += "".join(f"{command} || exit\nprintf '\\036'\n" for command in commands)
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=place / "demo",
            env={
                **{name: v for name, v in os.environ.items() if not name.startswith("VADE_")},
                "PYTHONPATH": str(REPOSITORY / "src"),
                "VADE_STATE_DIRECTORY": str(place / "state"),
                "VADE_ACTOR_NAME": "you",
                "LC_ALL": "C.UTF-8",
                "COLUMNS": "100",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise SystemExit(done.stdout.decode("utf-8", "replace").rpartition(_MARK)[2])
    parts = done.stdout.decode("utf-8", "replace").split(_MARK)[:-1]
    return [_ID.sub("01…", part.rstrip("\n")) for part in parts]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
