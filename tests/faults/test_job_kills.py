"""A job that is killed before any of its writes and run again ends in the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parent / "jobs_killed.py"


def rows(place: Path, every: int) -> list[dict[str, Any]]:
    ended = subprocess.run(
        [sys.executable, str(PROGRAM), str(place), str(every)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def check(found: list[dict[str, Any]]) -> None:
    whole, again, *killed = found
    assert any("reflections/2026-01-20" in path for path in whole["files"])
    assert any(".archive/2025-11-01" in path for path in whole["files"])
    assert again["files"] == whole["files"]
    assert killed
    for row in killed:
        differ = {
            path
            for path in {*row["files"], *whole["files"]}
            if row["files"].get(path) != whole["files"].get(path)
        }
        assert differ == set(), f"killed before call {row['kill']}"


@pytest.mark.req("L-06", "B-02")
def test_jobs_killed_here_and_there_end_in_the_same_files(tmp_path: Path) -> None:
    check(rows(tmp_path, 67))


@pytest.mark.slow
@pytest.mark.req("L-06", "B-02")
def test_jobs_killed_before_any_write_end_in_the_same_files(tmp_path: Path) -> None:
    found = rows(tmp_path, 1)
    assert len(found) > 200
    check(found)
