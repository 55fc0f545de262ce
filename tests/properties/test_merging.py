"""Merging any two histories of a note: nothing revived unseen, nothing new lost."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.core.claims import Claim
from vademecum.markdown.claims import read_claims, strike
from vademecum.markdown.lines import split
from vademecum.markdown.merge import merge
from vademecum.markdown.wording import words_of

DAY = date(2026, 3, 1)
SUBJECTS = ["The office", "The parser", "Anna", "Build 7"]
STEPS = st.tuples(
    st.sampled_from(["edit", "strike", "supersede", "delete", "move", "add", "retag", "prose"]),
    st.integers(0, 5),
    st.integers(0, 3),
)
BASE = (
    "---\ntype: fact\n---\n\n# Facts\n\n"
    + "".join(
        f"- [stated] {subject} is number {n} (2026-01-0{n + 1}){f' ^aaaaa{n}' if n % 2 else ''}\n"
        for n, subject in enumerate(SUBJECTS)
    )
    + "\n## Why\n\nFor reasons.\n"
)


def play(text: str, steps: list[tuple[str, int, int]], who: str) -> str:
    for number, (verb, place, other) in enumerate(steps):
        lines = split(text)
        claims = [claim for claim in read_claims("n.md", text) if claim.live]
        if verb == "prose":
            text = text.replace("reasons.", f"reasons of {who}{number}.", 1)
        elif verb == "add":
            text += f"- [observed] {who} saw {number} herons (2026-02-0{other + 1})\n"
        elif claims:
            text = changed(lines, claims[place % len(claims)], verb, other, f"{who}{number}")
    return text


def changed(lines: list[str], claim: Claim, verb: str, other: int, mark: str) -> str:
    at = claim.span.first - 1
    line = lines[at]
    day = date(2026, 2, other + 1)
    if verb == "edit":
        lines[at] = line.replace(claim.text, f"{claim.text} {mark}")
    elif verb == "retag":
        lines[at] = line.replace("[stated]", "[inferred]")
    elif verb == "delete":
        del lines[at]
    elif verb == "move":
        lines.insert(min(len(lines) - 1, 7 + other), lines.pop(at))
    else:
        lines[at] = strike(line, day, f"b{mark}" if verb == "supersede" else "")
        if verb == "supersede":
            subject = claim.text.partition(" is ")[0]
            lines.insert(at + 1, f"- [stated] {subject} is number {mark} ({day}) ^b{mark}\n")
    return "".join(lines)


def pairs(text: str) -> list[str]:
    """Return the words of live claims without a mark that are struck as well."""
    claims = read_claims("n.md", text)
    dead = {words_of(claim.text) for claim in claims if not claim.live}
    dead_ids = {claim.id for claim in claims if not claim.live} - {""}
    return [
        claim.text
        for claim in claims
        if claim.live
        and not claim.conflict
        and (words_of(claim.text) in dead or claim.id in dead_ids)
    ]


def said(text: str) -> set[str]:
    return {words_of(claim.text) for claim in read_claims("n.md", text)}


@pytest.mark.req("B-02", "W-06")
@given(st.lists(STEPS, max_size=5), st.lists(STEPS, max_size=5))
@settings(deadline=None)
def test_no_pair_is_left_and_nothing_new_is_lost(
    one: list[tuple[str, int, int]], two: list[tuple[str, int, int]]
) -> None:
    ours, theirs = play(BASE, one, "x"), play(BASE, two, "y")
    merged = merge(BASE, ours, theirs, "memory/n.md", day=DAY)
    if not pairs(ours) and not pairs(theirs):
        assert pairs(merged.text) == []
    for side in (ours, theirs):
        assert said(side) - said(BASE) <= said(merged.text)
        for line in set(side.splitlines()) - set(BASE.splitlines()):
            assert line.startswith("- ") or line in merged.text.splitlines()
    kept_by_both = said(ours) & said(theirs)
    assert kept_by_both <= said(merged.text)
    ids = Counter(claim.id for claim in read_claims("n.md", merged.text) if claim.id)
    assert not ids or max(ids.values()) == 1


@pytest.mark.req("B-02")
@given(st.lists(STEPS, max_size=4), st.lists(STEPS, max_size=4))
@settings(deadline=None)
def test_it_does_not_matter_who_merges(
    one: list[tuple[str, int, int]], two: list[tuple[str, int, int]]
) -> None:
    ours, theirs = play(BASE, one, "x"), play(BASE, two, "y")

    def standing(text: str) -> set[tuple[str, bool, bool]]:
        claims = read_claims("n.md", text)
        return {(words_of(c.text), c.live, c.conflict) for c in claims}

    there = merge(BASE, ours, theirs, "memory/n.md", day=DAY)
    back = merge(BASE, theirs, ours, "memory/n.md", day=DAY)
    assert standing(there.text) == standing(back.text)


@pytest.mark.req("B-02")
@given(st.lists(STEPS, max_size=4), st.lists(STEPS, max_size=4))
@settings(deadline=None)
def test_merging_again_changes_nothing(
    one: list[tuple[str, int, int]], two: list[tuple[str, int, int]]
) -> None:
    ours, theirs = play(BASE, one, "x"), play(BASE, two, "y")
    merged = merge(BASE, ours, theirs, "memory/n.md", day=DAY).text
    assert merge(theirs, merged, theirs, "memory/n.md", day=DAY).text == merged
