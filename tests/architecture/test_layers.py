"""Arrows point down: the contracts of pyproject.toml hold, hidden imports included."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any


def test_every_import_contract_holds(repository: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports; "
            "raise SystemExit(lint_imports(config_filename='pyproject.toml', no_cache=True))",
        ],
        cwd=repository,
        env={"PYTHONPATH": str(repository / "src"), "PATH": "", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_suppressed_contract_would_be_seen(modules: list[Any], repository: Path) -> None:
    # The contracts allow no single import; an exception would have to be argued for in review.
    assert "ignore_imports" not in (repository / "pyproject.toml").read_text(encoding="utf-8")
    assert not [m.name for m in modules if "import_module(f" in m.text and "surfaces" not in m.name]
