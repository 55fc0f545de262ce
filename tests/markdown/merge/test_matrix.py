"""The merge driver on everything that two sides can do to one claim, in both orders."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.claims import Claim
from vademecum.markdown.claims import read_claims
from vademecum.markdown.merge import Merged, merge
from vademecum.markdown.wording import words_of

DAY = date(2026, 3, 1)
HEAD = "---\ntype: decision\ntitle: API style\nlast_verified: 2026-01-10\n---\n\n# API style\n\n"
OTHER = "- [stated] The gateway runs in Frankfurt (2026-01-05) ^aaa111\n"
TARGET = "- [stated] Services talk REST (2026-01-10) ^c7f3a1\n"
LAST = "- [observed] Logs are kept for 30 days (2026-01-07) ^bbb222\n"
TAIL = "\n## Background\n\nWhy it is so.\n"
BASE = HEAD + OTHER + TARGET + LAST + TAIL

Side = Callable[[str, str], str]


def _put(new: str) -> Side:
    return lambda text, _: text.replace(TARGET, new)


def edit(text: str, who: str) -> str:
    return text.replace("talk REST", f"talk REST over HTTP/{who}")


def strike(text: str, who: str) -> str:
    day = f"2026-02-0{who}"
    struck = f"- ~~[stated] Services talk REST (2026-01-10)~~ superseded {day} ^c7f3a1\n"
    return text.replace(TARGET, struck)


def supersede(text: str, who: str) -> str:
    day = f"2026-02-0{who}"
    new = {"1": "GraphQL", "2": "tRPC"}[who]
    return text.replace(
        TARGET,
        f"- ~~[stated] Services talk REST (2026-01-10)~~ superseded {day} by ^dd000{who} ^c7f3a1\n"
        f"- [stated] Services talk {new} ({day}) ^dd000{who}\n",
    )


def conflict(text: str, who: str) -> str:
    day = f"2026-02-0{who}"
    rival = f"- [observed] Services talk SOAP{who} ({day}) ^ee000{who}\n"
    callout = f"> ⚠️ CONFLICT ({day}): they differ ^c7f3a1 ^ee000{who}\n"
    return text.replace(TARGET, TARGET + rival + callout)


def move(text: str, who: str) -> str:
    without = text.replace(TARGET, "")
    if who == "1":
        return without + TARGET
    return without.replace(OTHER, TARGET + OTHER)


def delete(text: str, who: str) -> str:
    del who
    return text.replace(TARGET, "")


def retag(text: str, who: str) -> str:
    tag = {"1": "observed", "2": "inferred"}[who]
    return text.replace("[stated] Services", f"[{tag}] Services")


def keep(text: str, who: str) -> str:
    del who
    return text


ACTIONS = [edit, strike, supersede, conflict, move, delete, retag, keep]
MATRIX = list(itertools.product(ACTIONS, ACTIONS, [False, True], [False, True]))


def unflagged_pairs(text: str) -> list[Claim]:
    """Return live claims that are also struck, by id or words, and carry no conflict."""
    claims = read_claims("n.md", text)
    dead = [claim for claim in claims if not claim.live]
    return [
        claim
        for claim in claims
        if claim.live
        and not claim.conflict
        and any(
            (claim.id and claim.id == other.id) or words_of(claim.text) == words_of(other.text)
            for other in dead
        )
    ]


def said(text: str) -> set[str]:
    return {words_of(claim.text) for claim in read_claims("n.md", text)}


def without_ids(text: str) -> str:
    return text.replace(" ^c7f3a1", "")


@pytest.mark.req("B-02", "W-06")
@pytest.mark.parametrize(("one", "two", "swapped", "bare"), MATRIX)
def test_no_pair_is_left_unflagged_and_no_line_is_lost(
    one: Callable[[str, str], str], two: Callable[[str, str], str], swapped: bool, bare: bool
) -> None:
    base, first, second = BASE, one(BASE, "1"), two(BASE, "2")
    if bare:  # the claim has no block id
        base, first, second = map(without_ids, (base, first, second))
    ours, theirs = (second, first) if swapped else (first, second)
    merged = merge(base, ours, theirs, "memory/decisions/api.md", day=DAY)
    assert unflagged_pairs(merged.text) == []
    _check_conserved(base, ours, theirs, merged)
    ids = [claim.id for claim in read_claims("n.md", merged.text) if claim.id]
    assert len(ids) == len(set(ids))
    assert "<<<<<<<" not in merged.text


def _check_conserved(base: str, ours: str, theirs: str, merged: Merged) -> None:
    deleted = {
        words
        for words in said(base)
        for side, other in ((ours, theirs), (theirs, ours))
        if words not in said(side)
        and (words not in said(other) or other == base or _only_elsewhere(base, other))
    }
    edited = said(base) - (said(ours) & said(theirs))
    wanted = said(base) | said(ours) | said(theirs)
    missing = wanted - said(merged.text)
    assert missing <= deleted | edited
    # What a side wrote anew is there whatever the other did.
    assert (said(ours) | said(theirs)) - said(base) <= said(merged.text)


def _only_elsewhere(base: str, other: str) -> bool:
    return sorted(base.splitlines()) == sorted(other.splitlines())


@pytest.mark.req("B-02")
@pytest.mark.parametrize("one", ACTIONS)
@pytest.mark.parametrize("two", ACTIONS)
def test_both_orders_come_to_the_same_claims(
    one: Callable[[str, str], str], two: Callable[[str, str], str]
) -> None:
    first, second = one(BASE, "1"), two(BASE, "2")
    there = merge(BASE, first, second, "memory/a.md", day=DAY)
    back = merge(BASE, second, first, "memory/a.md", day=DAY)

    def standing(text: str) -> set[tuple[str, str, bool, bool]]:
        return {(c.id, c.text, c.live, c.conflict) for c in read_claims("n.md", text)}

    assert standing(there.text) == standing(back.text)


@pytest.mark.req("B-02")
@pytest.mark.parametrize(
    ("one", "two", "live", "struck", "conflicts"),
    [
        (strike, edit, set(), {"Services talk REST over HTTP/2"}, False),
        (supersede, edit, {"Services talk GraphQL"}, {"Services talk REST over HTTP/2"}, False),
        (supersede, keep, {"Services talk GraphQL"}, {"Services talk REST"}, False),
        (
            supersede,
            supersede,
            {"Services talk tRPC"},
            {"Services talk REST", "Services talk GraphQL"},
            False,
        ),
        (
            edit,
            edit,
            {"Services talk REST over HTTP/1", "Services talk REST over HTTP/2"},
            set(),
            True,
        ),
        (edit, delete, {"Services talk REST over HTTP/1"}, set(), True),
        (strike, delete, set(), {"Services talk REST"}, False),
        (move, delete, {"Services talk REST"}, set(), True),
        (delete, keep, set(), set(), False),
        (delete, delete, set(), set(), False),
        (move, strike, set(), {"Services talk REST"}, False),
    ],
)
def test_each_combination_comes_to_what_it_should(
    one: Callable[[str, str], str],
    two: Callable[[str, str], str],
    live: set[str],
    struck: set[str],
    conflicts: bool,
) -> None:
    merged = merge(BASE, one(BASE, "1"), two(BASE, "2"), "memory/a.md", day=DAY)
    about = [c for c in read_claims("n.md", merged.text) if c.text.startswith("Services")]
    assert {c.text for c in about if c.live} == live
    assert {c.text for c in about if not c.live} == struck
    assert bool(merged.conflicts) is conflicts
    assert ("status: conflict" in merged.text) is conflicts
    assert all(c.conflict for c in about if c.live) or not conflicts


TEXTS = st.sampled_from(
    [
        "- [stated] One thing (2026-01-01) ^a1b2c3\n",
        "- [stated] One thing, better (2026-01-02) ^a1b2c3\n",
        "- ~~[stated] One thing (2026-01-01)~~ superseded 2026-02-01 ^a1b2c3\n",
        "- Another thing\n",
        "- ~~Another thing~~ superseded 2026-02-01\n",
        "Prose.\n",
        "Prose, again.\n",
        "\n",
        "## Part\n",
        "> ⚠️ CONFLICT (2026-01-01): ^a1b2c3\n",
        "```\n",
    ]
)
NOTES = st.lists(TEXTS, max_size=8).map("".join)


@pytest.mark.req("B-02")
@given(NOTES, NOTES, NOTES)
def test_any_three_texts_merge_and_nothing_that_is_new_is_lost(
    base: str, ours: str, theirs: str
) -> None:
    merged = merge(base, ours, theirs, "memory/a.md", day=DAY)
    rows = merged.text.splitlines()
    # A line right below a bullet belongs to it, so one strike may run over both.
    items = [f"{row} {below}" for row, below in itertools.pairwise([*rows, ""])]
    known = {word.strip("~") for word in base.split()}
    for line in {*ours.splitlines(), *theirs.splitlines()} - set(base.splitlines()):
        assert any(_holds(item, line, known) for item in items)


def _holds(item: str, line: str, known: set[str]) -> bool:
    """Whether an item has all that a line says for the first time, whichever of two ids it has."""
    told = {word.strip("~") for word in line.split() if word.strip("~-") and word[0] != "^"}
    return all(word in item for word in told - known)


@pytest.mark.req("B-02")
@given(NOTES, NOTES)
def test_what_one_side_did_alone_stands_byte_for_byte(base: str, ours: str) -> None:
    assert merge(base, ours, base, "memory/a.md", day=DAY).text == ours
    assert merge(base, base, ours, "memory/a.md", day=DAY).text == ours
