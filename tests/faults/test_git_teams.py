"""Two people on one repository: whatever both do, in any order, both end up with all of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import team  # see conftest

pytestmark = pytest.mark.req("B-02")


def live_together(people, seed: int, edits: int, every: int) -> None:  # type: ignore[no-untyped-def]  # the harness is imported by its path, without types
    """Let both make `edits` edits each, and sync now and then, in any order."""
    chance = random.Random(seed)
    left = {person.name: edits for person in people}
    while any(left.values()):
        person = chance.choice([one for one in people if left[one.name]])
        person.act()
        left[person.name] -= 1
        if chance.randrange(every) == 0:
            chance.choice(people).memory.git("sync")
    order = list(people)
    chance.shuffle(order)
    for person in (*order, *order):
        person.memory.git("sync")


@pytest.mark.parametrize("seed", range(2))
def test_two_people_who_edit_and_sync_in_any_order_end_up_with_the_same(
    seed: int, tmp_path: Path
) -> None:
    people = team.team(tmp_path, seed)
    live_together(people, seed, edits=30, every=15)
    team.check(people)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 13))
@pytest.mark.parametrize("every", [8, 40, 1000])
def test_two_people_who_make_200_edits_each_end_up_with_the_same(
    seed: int, every: int, tmp_path: Path
) -> None:
    people = team.team(tmp_path, seed)
    live_together(people, seed, edits=200, every=every)
    team.check(people)
