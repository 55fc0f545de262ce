"""The id of a claim follows from its text, so that writing it again comes to the same id."""

from __future__ import annotations

from itertools import islice

import pytest

from vademecum.core.ids import block_ids_of
from vademecum.testing import throwaway_memory


@pytest.mark.req("B-02", "L-01")
def test_two_memories_give_the_same_claim_the_same_id() -> None:
    ids = []
    for _ in range(2):
        with throwaway_memory() as memory:
            ids.append(memory.remember("Services talk REST", tag="stated").claim)
    assert ids[0] == ids[1] != ""


@pytest.mark.req("W-06")
def test_a_value_that_comes_back_on_the_same_day_gets_an_id_of_its_own() -> None:
    with throwaway_memory() as memory:
        first = memory.remember("Services talk REST", tag="stated").claim
        second = memory.remember("Services now talk gRPC", tag="stated").claim
        back = memory.remember("Services talk REST", tag="stated", supersedes=second).claim
    assert len({first, second, back}) == 3


@pytest.mark.req("F-08")
def test_ids_are_six_hexadecimal_signs_of_which_one_is_a_letter() -> None:
    ids = list(islice(block_ids_of("Services talk REST"), 500))
    assert all(len(id) == 6 and int(id, 16) >= 0 and not id.isdigit() for id in ids)
    assert len(set(ids)) > 490
