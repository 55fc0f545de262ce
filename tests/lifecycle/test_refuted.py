"""What was corrected since is not put into core memory as if it held."""

from __future__ import annotations

import pytest

from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock

pytestmark = pytest.mark.req("L-03")


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-10T09:00:00")


def tell(memory: Memory, clock: FrozenClock, first: int, *said: str, title: str = "Talk") -> None:
    """Log one sentence a day, from that day of January on."""
    for day, text in enumerate(said, first):
        clock.move_to(f"2026-01-{day:02d}T09:00:00")
        memory.log(text, title=title)


def promoted(memory: Memory) -> str:
    memory.promote(apply=True)
    core = memory._workspace.root / memory._workspace.profile.core_path
    return core.read_text()


@pytest.mark.parametrize(
    ("told", "corrected"),
    [
        ("The API port is 8080.", "Correction: the API port is 9090, not 8080."),
        ("The API port is 8080.", "The API port is not 8080 any more."),
        ("The API port is 8080.", "User: No, the API port is 9090."),
        ("The office is in Kiel.", "The office moved to Hamburg."),
        ("Das Büro ist in Kiel.", "Nein, das Büro ist in Hamburg."),
        ("服务器在杭州。", "更正：服务器在上海。"),
    ],
)
def test_a_later_telling_keeps_what_it_corrects_out_of_core_memory(
    memory: Memory, clock: FrozenClock, told: str, corrected: str
) -> None:
    tell(memory, clock, 11, *[told] * 4)
    memory.promote()
    [waiting] = [item.id for item in memory.review() if item.matter.value == "promotion"]
    tell(memory, clock, 15, corrected)
    for day in range(11, 16):
        memory.reflect(f"2026-01-{day}")
    memory.promote(apply=True, only=(waiting,))
    assert told.rstrip(".。") not in promoted(memory)


def test_what_is_told_again_after_its_correction_holds(memory: Memory, clock: FrozenClock) -> None:
    kiel = "The office is in Kiel."
    tell(memory, clock, 11, kiel, kiel, "The office is in Hamburg.", kiel)
    assert kiel in promoted(memory)


def test_memory_that_says_otherwise_keeps_it_out(memory: Memory, clock: FrozenClock) -> None:
    memory.remember("The office moved to Hamburg", tag="stated", by_person=True)
    tell(memory, clock, 11, *["The office is in Kiel."] * 4)
    assert "Kiel" not in promoted(memory)


def test_a_claim_of_a_note_stays_there_once_the_logs_correct_it(
    memory: Memory, clock: FrozenClock
) -> None:
    memory.remember("The API port is 8080", tag="stated", by_person=True)
    for day in (11, 12):
        clock.move_to(f"2026-01-{day}T09:00:00")
        memory.recall("which API port is it")
        memory.recall("on what port is the API")
    assert "8080" in "".join(step.diff for step in memory.promote(dry_run=True).steps)
    tell(memory, clock, 13, "The API port is 9090.")
    assert "8080" not in promoted(memory)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Maybe the office should be in Hamburg.", "Talk"),
        ("The office is in Hamburg.", "Web: a page"),
        ("The office has a garden.", "Talk"),
    ],
)
def test_a_proposal_a_page_or_something_else_corrects_nothing(
    memory: Memory, clock: FrozenClock, said: str, title: str
) -> None:
    kiel = "The office is in Kiel."
    tell(memory, clock, 11, *[kiel] * 4)
    tell(memory, clock, 15, said, title=title)
    assert kiel in promoted(memory)
