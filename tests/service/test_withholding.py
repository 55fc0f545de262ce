"""Credentials in logs that were written by hand: no job shows, keeps or proposes one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.core.jobs import JobReport
from vademecum.core.review import Matter
from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock, small_embedder

pytestmark = pytest.mark.req("B-04", "L-03")

PASSWORD = "Tr0ub4dor&3"
KEY = "AKIA" + "Q3EGRWK2LMNPO7XY"
SAID = f"The admin password is {PASSWORD}."
DECIDED = f"We decided to deploy with the key {KEY}."
DAYS = range(11, 17)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    model = tmp_path / "model.py"
    model.write_text(
        "import sys, pathlib\n"
        f"pathlib.Path({str(tmp_path / 'asked.txt')!r}).write_text(sys.stdin.read())\n"
        """print('{"right": [], "wrong": [], "tomorrow": [], "insights": []}')\n"""
    )
    settings: dict[str, str | tuple[str, ...]] = {
        "state.directory": str(tmp_path / "state"),
        "actor.name": "maya",
        "workspace.zone": "UTC",
        "model.provider": "command",
        "model.command": ("python3", "-S", "-E", str(model)),
    }
    place, clock = tmp_path / "workspace", FrozenClock("2026-01-16T20:00:00")
    init(place, clock=clock, settings=settings, variables={})
    for day in DAYS:
        (place / f"memory/2026-01-{day}.md").write_text(
            f"# 2026-01-{day}\n\n## 09:00 — Talk\n\n{SAID}\n{DECIDED}\n- [ ] Call with {KEY}\n"
        )
    with open_memory(
        place, clock=clock, embedder=small_embedder(), settings=settings, variables={}
    ) as opened:
        yield opened


def is_clear(text: str) -> bool:
    return PASSWORD in text or KEY in text


def on_file(tmp_path: Path) -> str:
    kept = [*(tmp_path / "state").rglob("jobs/*"), *(tmp_path / "state").rglob("promotions.json")]
    return "".join(file.read_text() for file in kept if file.is_file())


def written(memory: Memory) -> str:
    """Return all that the workspace says outside of its logs."""
    files = memory._workspace.root.rglob("*.md")
    return "".join(file.read_text() for file in files if not file.name.startswith("2026-01-1"))


def test_promotion_neither_shows_nor_keeps_nor_proposes_a_credential(
    memory: Memory, tmp_path: Path
) -> None:
    shown = memory.promote()
    assert shown.steps == ()
    assert [item for item in memory.review() if item.matter is Matter.PROMOTION] == []
    done = memory.promote(apply=True)
    assert done.steps == ()
    assert not is_clear(repr((shown, done)) + on_file(tmp_path) + written(memory))
    assert "[redacted" not in written(memory)
    assert any("credential" in one.why and "[redacted" in one.what for one in done.declined)


def test_reflections_and_beats_show_none(memory: Memory, tmp_path: Path) -> None:
    reports: list[JobReport] = [memory.reflect("2026-01-15", dry_run=True)]
    reports += [memory.reflect(f"2026-01-{day}") for day in DAYS]
    reports.append(memory.heartbeat())
    assert not is_clear(repr(reports) + on_file(tmp_path) + written(memory))
    assert any("credential" in one.why for report in reports for one in report.declined)
    assert "[stated] We decided to deploy with the key" not in written(memory)


def test_no_model_sees_one(memory: Memory, tmp_path: Path) -> None:
    memory.reflect("2026-01-16")
    asked = (tmp_path / "asked.txt").read_text()
    assert "The admin password is [redacted" in asked
    assert not is_clear(asked)


def test_review_shows_none_that_stands_in_a_note(memory: Memory) -> None:
    note = memory._workspace.root / "memory/facts/admin.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"# Admin\n\n- [stated] {SAID} (since 2025-06-01) ^aa11bb\n")
    items = memory.review()
    assert [item for item in items if "admin.md" in str(item.span)]
    assert not is_clear(repr(items))
