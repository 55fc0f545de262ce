"""What only happened is for the log: neither proposed for core memory nor believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.core.jobs import Believed
from vademecum.core.review import Matter
from vademecum.testing import FrozenClock, throwaway_memory

from .models import memory_with, saying

pytestmark = pytest.mark.req("L-02", "L-03")


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("The build failed because of a missing token.", False),
        ("Uploads failed because the database is down.", False),
        ("The nightly import timed out after an hour.", False),
        ("The server stopped responding because of heat.", False),
        ("Der Build ist fehlgeschlagen, weil ein Token fehlte.", False),
        ("构建失败，因为缺少令牌。", False),
        ("Builds fail when the token is missing.", True),
        ("Retry failed uploads at night.", True),
        ("The job that failed goes to Anna.", True),
        ("如果构建失败，就用旧令牌。", True),
    ],
)
def test_how_something_came_out_on_many_days_is_no_candidate(
    tmp_path: Path, said: str, holds: bool
) -> None:
    clock = FrozenClock("2026-01-10T09:00:00")
    with throwaway_memory(clock=clock, root=tmp_path) as memory:
        for day in range(11, 17):
            clock.move_to(f"2026-01-{day}T09:00:00")
            memory.log(f"User: {said}", title="Talk")
        memory.promote()
        proposed = [item for item in memory.review() if item.matter is Matter.PROMOTION]
        assert [item.text for item in proposed] == [said] * holds


def test_a_model_cannot_have_remembered_what_only_happened(tmp_path: Path) -> None:
    said = "The build failed because of a missing token."
    answer = {"right": [], "wrong": [], "tomorrow": [], "insights": [f"1 | fact | {said}"]}
    clock = FrozenClock("2026-01-20T09:00:00")
    with memory_with(tmp_path, clock, command=saying(tmp_path, answer)) as memory:
        memory.log(said, title="Work")
        done = memory.reflect()
    assert not [step for step in done.steps if isinstance(step.proposal, Believed)]
    assert [one.why for one in done.declined] == ["it tells what happened, which the log has"]
