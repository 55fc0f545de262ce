"""Taking back a call whole: the maps that were made along with its notes go and come with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Files = Callable[[], dict[str, str]]
pytestmark = pytest.mark.req("B-03", "L-02")


@pytest.fixture
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    profile = getattr(request, "param", "standard")
    clock = FrozenClock("2026-01-20T10:00:00")
    with throwaway_memory(profile=profile, root=tmp_path, clock=clock) as made:
        yield made


@pytest.fixture
def files(tmp_path: Path) -> Files:
    root = tmp_path / "workspace"
    return lambda: {str(file.relative_to(root)): file.read_text() for file in root.rglob("*.md")}


def a_day(memory: Memory) -> None:
    memory.log("User: We decided on REST over GraphQL.", title="API")
    memory.log("User: Lesson: always run the linter before pushing.", title="Work")


@pytest.mark.parametrize("memory", ["standard", "vault", "openclaw"], indirect=True)
def test_a_reflection_that_is_taken_back_leaves_no_map_behind(memory: Memory, files: Files) -> None:
    a_day(memory)
    before = files()
    report = memory.reflect()
    reflected = files()
    assert len(reflected) >= len(before) + 2
    done = memory.undo(session=report.session)
    assert files() == before
    assert {path for path in reflected if reflected[path] != before.get(path)} == {
        written.path for written in done.written
    }


def test_taken_back_once_more_it_is_all_there_again(memory: Memory, files: Files) -> None:
    a_day(memory)
    report = memory.reflect()
    reflected = files()
    memory.undo(session=report.session)
    [group] = {change.group for change in memory.history(verb="undo", limit=100)}
    memory.undo(group)
    assert files() == reflected
    assert not [one for one in memory.doctor().findings if one.where.endswith("index.md")]


def test_a_map_stays_that_leads_elsewhere_or_that_somebody_wrote_in(
    memory: Memory, files: Files, tmp_path: Path
) -> None:
    made = memory.remember("We decided on REST over GraphQL.", kind="decision")
    other = memory.remember("We decided to deploy on Tuesdays only.", kind="decision")
    lesson = memory.remember(
        "Lesson: always run the linter before pushing.", kind="lesson", by_person=True
    )
    written = tmp_path / "workspace/memory/lessons/index.md"
    written.write_text(f"{written.read_text()}\nRead these first.\n")
    memory.undo(made.change)
    memory.undo(lesson.change)
    assert "Tuesdays" in files()["memory/decisions/index.md"]
    assert "Read these first." in files()["memory/lessons/index.md"]
    top = files()["memory/index.md"]
    assert "(decisions/index.md)" in top and "(lessons/index.md)" in top
    memory.undo(other.change)
    assert "memory/decisions/index.md" not in files()
    assert "(decisions/index.md)" not in files()["memory/index.md"]
