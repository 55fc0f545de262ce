"""A dry run of a job of several steps shows what is then done, each step upon the one before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.context.capture import transcripts_of
from vademecum.context.turns import Turn
from vademecum.core.jobs import Believed, JobReport
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

pytestmark = pytest.mark.req("L-01", "L-02")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=FrozenClock("2026-01-20T10:00:00")) as made:
        yield made


def files(root: Path) -> dict[str, str]:
    return {str(file.relative_to(root)): file.read_text() for file in root.rglob("*.md")}


def outcomes(report: JobReport) -> list[tuple[str, str]]:
    return [(step.outcome, step.why) for step in report.steps]


def claims(report: JobReport) -> list[str]:
    return [step.diff for step in report.steps if isinstance(step.proposal, Believed)]


def test_a_dry_reflection_shows_what_the_reflection_then_does(
    memory: Memory, tmp_path: Path
) -> None:
    for said in (
        "We decided to use Postgres.",
        "We decided to use MySQL instead of Postgres.",
        "We are using MySQL instead of Postgres.",
        "We decided to deploy on Tuesdays only.",
        "Lesson: always run the linter before pushing.",
    ):
        memory.log(f"User: {said}", title="Work")
    before = files(tmp_path / "workspace")
    dry = memory.reflect(dry_run=True)
    assert files(tmp_path / "workspace") == before
    real = memory.reflect()
    assert outcomes(dry) == outcomes(real)
    assert "updated" in [outcome for outcome, _ in outcomes(real)]
    assert claims(dry) == claims(real)
    shown = "".join(claims(dry))
    for path in ("decisions", "lessons"):
        assert shown.count(f"--- /dev/null\n+++ b/memory/{path}/index.md") == 1


def test_a_dry_beat_believes_what_it_would_have_logged(memory: Memory) -> None:
    said = ("We decided to use Postgres.", "We decided to deploy on Tuesdays only.")
    turns = [Turn(f"s-{each}", "user", each) for each in said]
    transcripts_of(memory._workspace).append("s", turns)
    dry = memory.heartbeat(dry_run=True)
    real = memory.heartbeat()
    assert [outcome for outcome, _ in outcomes(real)].count("added") == 2
    assert outcomes(dry) == outcomes(real)


def test_a_dry_run_leaves_nothing_behind_that_a_later_write_sees(memory: Memory) -> None:
    memory.log("User: We decided to use Postgres.", title="Work")
    memory.reflect(dry_run=True)
    assert not memory.recall("Postgres").sources[0].text.startswith("We decided to use Postgres. (")
    assert [outcome for outcome, _ in outcomes(memory.reflect())] == ["added", "composed"]
