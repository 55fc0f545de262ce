"""Both README commands, and installing, where there is nothing but Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.alone]

_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", "__pycache__", ".hypothesis", "demo"
)


def _checkout(repository: Path, place: Path) -> Path:
    shutil.copytree(repository, place, ignore=_LEFT_OUT)
    return place


def _bare(place: Path) -> Mapping[str, str]:
    """Return the environment of a user whose Python came without pip and ensurepip."""
    stub = place / "without" / "ensurepip"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('as on a system without python3-venv')\n")
    home = place / "home"
    home.mkdir()
    passed_on = ("PIP_", "SSL_", "REQUESTS_", "http", "HTTP", "no_proxy", "NO_PROXY")
    return {
        **{k: v for k, v in os.environ.items() if k.startswith(passed_on)},
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "PYTHONPATH": str(stub.parent),
    }


def test_the_first_command_ends_with_a_cited_answer_where_python_has_no_pip(
    repository: Path, tmp_path: Path
) -> None:
    checkout = _checkout(repository, tmp_path / "checkout")
    done = subprocess.run(
        [getattr(sys, "_base_executable", sys.executable), "scripts/try.py"],
        cwd=checkout,
        env=dict(_bare(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "came without pip" in done.stdout
    assert "memory/projects/booking.md:" in done.stdout
    assert "a dog pays as much as a bicycle" in done.stdout


def test_what_is_installed_is_the_package_and_nothing_else(
    repository: Path, tmp_path: Path
) -> None:
    checkout = _checkout(repository, tmp_path / "checkout")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(tmp_path), "."],
        cwd=checkout,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0].partition("-")[0] for name in names}
    assert tops == {"vademecum"}
    assert "vademecum/py.typed" in names
    assert any(name.startswith("vademecum/workspace/profiles/texts/") for name in names)
