"""What a person did not want in core memory stays away, also in other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.core.review import Item, Matter
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

pytestmark = pytest.mark.req("L-03")


def proposed_after(memory: Memory, clock: FrozenClock, text: str, first: int) -> list[Item]:
    for day in range(first, first + 5):
        clock.move_to(f"2026-01-{day}T09:00:00")
        memory.log(f"User: {text}", title="Talk")
    memory.promote()
    return [item for item in memory.review() if item.matter is Matter.PROMOTION]


@pytest.mark.parametrize(
    ("dropped", "reworded", "again"),
    [
        ("The office is in Kiel.", "The office is located in Kiel.", False),
        ("Das Büro ist in Kiel.", "Das Büro befindet sich in Kiel.", False),
        ("办公室在上海。", "办公室位于上海。", False),
        ("The database of Heron is MySQL 8.", "Heron's database is MySQL 8.", False),
        ("The office is in Kiel.", "The warehouse is in Kiel.", True),
        ("The office is in Kiel.", "The office in Kiel has a garden.", True),
        ("Anna reports to Bob.", "Bob reports to Anna.", True),
    ],
)
def test_what_was_dismissed_is_not_proposed_in_other_words(
    tmp_path: Path, dropped: str, reworded: str, again: bool
) -> None:
    clock = FrozenClock("2026-01-10T09:00:00")
    with throwaway_memory(clock=clock, root=tmp_path) as memory:
        [item] = proposed_after(memory, clock, dropped, 11)
        memory.review("drop", item.id, by_person=True)
        found = proposed_after(memory, clock, reworded, 16)
        assert [one.text for one in found] == [reworded] * again
        kept = [*tmp_path.rglob("promotions.json")]
        assert kept
        assert not any(dropped.rstrip(".。") in file.read_text() for file in kept)
