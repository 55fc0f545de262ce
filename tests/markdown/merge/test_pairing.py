"""What a merge of many claims costs: in steps of the interpreter, so that no clock is asked."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from datetime import date

import pytest

from vademecum.markdown.merge import merge
from vademecum.markdown.merge.versions import Merged

Edit = Callable[[int, str], str]
DAY = date(2026, 3, 1)
FEW, MANY = 300, 1200


def note(count: int, edit: Edit, *, id: bool) -> str:
    lines = []
    for number in range(count):
        claim = f"- [stated] Valve {number} of hall {number % 7} stands at {number * 7} today"
        lines.append(edit(number, claim) + (f" ^{number:06x}" if id else "") + "\n")
    return "# Valves\n\n" + "\n".join(lines)


def unedited(_: int, claim: str) -> str:
    return claim


def at(place: int, word: str) -> Edit:
    return lambda number, claim: claim.replace("stands", word) if number == place else claim


def everywhere(word: str) -> Edit:
    return lambda _, claim: claim.replace("stands", word)


def steps(base: str, ours: str, theirs: str) -> tuple[int, Merged]:
    profile = cProfile.Profile()
    merged = profile.runcall(merge, base, ours, theirs, "facts/valves.md", day=DAY)
    return pstats.Stats(profile).total_calls, merged  # type: ignore[attr-defined,no-any-return]  # the stubs of pstats leave it out


@pytest.mark.req("B-02")
@pytest.mark.parametrize("id", [False, True])
def test_four_times_the_claims_take_four_times_the_steps(id: bool) -> None:
    taken = []
    for count in (FEW, MANY):
        base = note(count, unedited, id=id)
        ours = note(count, at(count // 3, "rests"), id=id)
        theirs = note(count, at(count // 2, "sits"), id=id) + "- [stated] A pump came\n"
        number, merged = steps(base, ours, theirs)
        assert merged.conflicts == ()
        assert merged.text.count("rests at") == merged.text.count("sits at") == 1
        assert merged.text.endswith("- [stated] A pump came\n")
        taken.append(number)
    assert taken[1] < 6 * taken[0]


@pytest.mark.req("B-02")
def test_so_it_is_where_both_reworded_every_claim() -> None:
    taken = []
    for count in (FEW, MANY):
        texts = (
            note(count, edit, id=True)
            for edit in (unedited, everywhere("rests"), everywhere("sits"))
        )
        number, merged = steps(*texts)
        assert len(merged.conflicts) == count
        taken.append(number)
    assert taken[1] < 6 * taken[0]


@pytest.mark.req("B-02")
def test_a_claim_that_both_added_many_times_over_stands_as_often_as_the_one_who_added_most() -> (
    None
):
    base = note(2, unedited, id=False)
    text = "- [stated] The gate is shut\n"
    merged = merge(base, base + text * 2, base + text * 3, "facts/valves.md", day=DAY)
    assert merged.text.count("The gate is shut") == 3
