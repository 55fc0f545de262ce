"""What a day plans is a task and no fact; who has which part is learnt without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.core.jobs import Believed
from vademecum.core.review import Matter
from vademecum.testing import FrozenClock, throwaway_memory

pytestmark = pytest.mark.req("L-02", "L-03")


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("Plan: finish the import of timetables.", False),
        ("Plan: den Import der Fahrpläne fertigstellen.", False),
        ("计划：完成时刻表的导入。", False),
        ("Plan: we use Redis for caching.", True),
        ("The plan: Postgres for everything.", True),
        ("Anna is the new product owner.", True),
        ("Bob is our CTO.", True),
        ("Anna ist die neue Produktverantwortliche.", True),
        ("安娜是新的产品负责人。", True),
        ("Heron is the lead service of the fleet.", False),
        ("Anna is late again.", False),
    ],
)
def test_what_is_to_be_done_is_not_learnt_and_who_has_which_part_is(
    tmp_path: Path, said: str, learnt: bool
) -> None:
    with throwaway_memory(clock=FrozenClock("2026-01-10T09:00:00"), root=tmp_path) as memory:
        memory.log(f"User: {said}", title="Talk")
        believed = [
            step.proposal for step in memory.reflect().steps if isinstance(step.proposal, Believed)
        ]
    assert [(one.text, one.tag) for one in believed] == [(said, "stated")] * learnt


def test_a_plan_that_is_told_every_day_is_not_proposed(tmp_path: Path) -> None:
    clock = FrozenClock("2026-01-10T09:00:00")
    with throwaway_memory(clock=clock, root=tmp_path) as memory:
        for day in range(11, 17):
            clock.move_to(f"2026-01-{day}T09:00:00")
            memory.log("User: Plan: finish the import of timetables.", title="Talk")
        memory.promote()
        assert [item for item in memory.review() if item.matter is Matter.PROMOTION] == []
