"""How present notes are: measured from the files, shown by status."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from vademecum.lifecycle.warmth import Measured
from vademecum.service.memory import Memory
from vademecum.surfaces.cli.main import status_of
from vademecum.testing import FrozenClock, throwaway_memory

TODAY = date(2026, 3, 1)


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


def write(place: Path, path: str, text: str) -> Path:
    file = place / "workspace" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def measured(memory: Memory) -> dict[str, Measured]:
    found = memory.status(temperature=True, limit=0).temperatures
    assert found is not None
    return {one.path: one for one in found.notes}


@pytest.mark.req("L-05")
def test_references_are_links_and_mentioned_days_in_the_logs_of_the_last_seven_days(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, "memory/lessons/crates.md", "---\ntitle: Moving crates\n---\n\n# Crates\n")
    old = days_ago(20)
    write(tmp_path, f"memory/{old}.md", f"# {old}\n")
    write(
        tmp_path,
        f"memory/{days_ago(0)}.md",
        f"# {days_ago(0)}\n\n### 10:00 — A\n[[crates]] [[Moving crates]] [x](lessons/crates.md)\n"
        f"On {old} and in [[{old}#10:00 — A]]; `[[crates]]`; {days_ago(0)}\n",
    )
    own = write(tmp_path, f"memory/reflections/{days_ago(0)}.md", "# A day\n")
    write(tmp_path, f"memory/{days_ago(6)}.md", f"# {days_ago(6)}\n\n[[crates]]\n")
    write(tmp_path, f"memory/{days_ago(7)}.md", f"# {days_ago(7)}\n\n[[crates]] {old}\n")
    found = measured(memory)
    assert found["memory/lessons/crates.md"].references == 4
    assert found[f"memory/{old}.md"].references == 2
    assert found[f"memory/{days_ago(0)}.md"].references == 0
    assert found[f"memory/reflections/{own.name}"].references == 0


@pytest.mark.req("L-05")
def test_a_note_is_as_old_as_it_says_else_as_its_name_says_else_as_its_file(
    memory: Memory, tmp_path: Path
) -> None:
    said = f"---\ncreated: {days_ago(50)}\npriority: 🟡\n---\n\n# x\n"
    write(tmp_path, f"memory/decisions/{days_ago(9)}-said.md", said)
    write(tmp_path, f"memory/decisions/{days_ago(9)}-named.md", "# x\n")
    file = write(tmp_path, "memory/facts/neither.md", "# x\n")
    os.utime(file, (1_771_000_000, 1_771_000_000))  # 2026-02-13T16:26:40Z
    found = measured(memory)
    assert found[f"memory/decisions/{days_ago(9)}-said.md"].days == 50
    assert found[f"memory/decisions/{days_ago(9)}-said.md"].worth == 0.1
    assert found[f"memory/decisions/{days_ago(9)}-named.md"].days == 9
    assert found["memory/facts/neither.md"].days == 16


@pytest.mark.req("L-05")
def test_status_lists_the_hottest_notes_with_their_terms_in_both_forms(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for days in (0, 5, 100):
        write(tmp_path, f"memory/{days_ago(days)}.md", f"# {days_ago(days)}\n")
    memory.close()
    options = ["--workspace", str(tmp_path / "workspace"), "status"]
    assert status_of([*options, "--json"]) == 0
    assert "temperatures" not in json.loads(capsys.readouterr().out)
    assert status_of([*options, "--temperature", "-n", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["temperatures"]
    assert told["hot"] + told["warm"] + told["cold"] > len(told["notes"]) == 2
    assert set(told["notes"][0]) >= {"path", "value", "warmth", "age", "referred", "worth"}
    assert status_of([*options, "--temperature", "-n", "1"]) == 0
    text = capsys.readouterr().out
    assert "age 0." in text and "-n 0 lists all" in text
