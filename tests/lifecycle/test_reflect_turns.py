"""Looking back on a day on which somebody changed their mind: the last word of the day holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.markdown.claims import read_claims
from vademecum.service.memory import Memory

from vademecum.testing import FrozenClock  # isort: skip  after the module beside

pytestmark = pytest.mark.req("L-02")

DAY = "2026-01-20"
HERE = "We decided to use Postgres."
THERE = "We decided to use MySQL instead of Postgres."


def tell(memory: Memory, clock: FrozenClock, *said: str) -> None:
    for each in said:
        memory.log(each, title="Database")
        clock.advance(hours=2)


def live(tmp_path: Path) -> list[str]:
    return [
        claim.text
        for file in sorted((tmp_path / "workspace/memory/decisions").glob("*.md"))
        for claim in read_claims(file.name, file.read_text())
        if claim.live
    ]


def test_who_turned_and_turned_back_ends_where_they_began(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    tell(memory, clock, f"User: {HERE}", f"User: {THERE}", f"User: {HERE}")
    report = memory.reflect()
    assert live(tmp_path) == [HERE]
    log = f"memory/{DAY}.md"
    [(what, why)] = [(one.what, one.why) for one in report.declined]
    assert what == THERE and why.startswith(f"taken back later that day: {log}:")
    [source] = memory.recall("Postgres", limit=1).sources
    assert f"from [[{DAY}#13:00 — Database]]" in memory.get(str(source.span)).text


def test_who_turned_twice_ends_where_they_turned_to(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    tell(memory, clock, *(f"User: {said}" for said in (HERE, THERE, HERE, THERE)))
    memory.reflect()
    assert live(tmp_path) == [THERE]


def test_an_agent_that_repeats_the_first_word_turns_nothing_back(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    tell(memory, clock, f"User: {HERE}", f"User: {THERE}", f"Agent: {HERE}")
    memory.reflect()
    assert live(tmp_path) == [THERE]


def test_what_was_told_twice_is_remembered_once(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    tell(memory, clock, f"User: {HERE}", f"User: {HERE}")
    report = memory.reflect()
    assert [step.outcome for step in report.steps] == ["added", "composed"]
    assert live(tmp_path) == [HERE]
