"""The README's tour is real: every console block is run on the sample and its output compared."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

_TESTS = Path(__file__).resolve().parents[1]
_SHIM = Path(__file__).parent / "vade_of_the_tour.py"


def _stories() -> ModuleType:
    """The stories have the reader of console blocks; a test is no package to import it from."""
    path = _TESTS / "stories" / "test_stories.py"
    spec = importlib.util.spec_from_file_location("stories_for_the_tour", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_readme_shows_what_the_commands_print(repository: Path, tmp_path: Path) -> None:
    stories = _stories()
    steps = list(stories.steps_of((repository / "README.md").read_text(encoding="utf-8")))
    assert len(steps) >= 5
    shutil.copytree(repository / "examples" / "workspace", tmp_path / "demo")
    script = f'vade() {{ "{sys.executable}" "{_SHIM}" "$@"; }}\nvade sync > /dev/null 2>&1\n'
    script += "".join(f"{step.command}\nprintf '\\036%s\\036' \"$?\"\n" for step in steps)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path / "demo",
        env={
            **os.environ,
            "PYTHONPATH": str(repository / "src"),
            "VADE_STATE_DIRECTORY": str(tmp_path / "state"),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    parts = done.stdout.decode().split("\x1e")
    printed = [output.removesuffix("\n") for output in parts[0::2]]
    wrong = [
        f"$ {step.command}\n{output}\n--- but the README says\n{step.output}"
        for step, output in zip(steps, printed, strict=False)
        if not stories.matches(step.output, output)
    ]
    assert not wrong, "\n\n".join(wrong)
