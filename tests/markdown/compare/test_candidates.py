"""Find the few claims that a new one may concern."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.markdown.compare import ClaimIndex, Updates, compare, normalise, slot_keys

WORDS = st.sampled_from(
    ["Anna", "Ben", "Berlin", "Oslo", "lives", "works", "in", "at", "the", "lead", "of", "team"]
    + ["is", "8080", "9090", "not", "no longer", "now", "moved to", "住在", "上海", "は", "です"]
)
CLAIMS = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


@pytest.mark.req("W-02")
def test_a_rival_is_found_among_thousands_of_claims() -> None:
    index = ClaimIndex()
    for number in range(3_000):
        index.add(f"c{number}", normalise(f"The owner of service {number} is team {number % 90}."))
    claims = [
        normalise(f"The owner of service {number} is Rita.") for number in range(0, 3_000, 50)
    ]
    found = [index.candidates(claim) for claim in claims]
    assert all(f"c{50 * place}" in ids for place, ids in enumerate(found))


@pytest.mark.req("W-02")
def test_a_claim_taken_out_is_found_no_more() -> None:
    index = ClaimIndex()
    index.add("a", normalise("Maria lives in Lisbon."))
    assert index.candidates(normalise("Maria moved to Porto.")) == ("a",)
    index.remove("a")
    index.remove("a")
    assert index.candidates(normalise("Maria moved to Porto.")) == ()
    assert len(index) == 0


@pytest.mark.req("W-02")
def test_adding_under_a_known_id_replaces_the_claim() -> None:
    index = ClaimIndex()
    index.add("a", normalise("Maria lives in Lisbon."))
    index.add("a", normalise("Tom works at a bakery."))
    assert index.candidates(normalise("Maria moved to Porto.")) == ()
    assert index.get("a") == normalise("Tom works at a bakery.")


@pytest.mark.req("W-02")
def test_rivals_share_a_slot_key_and_longer_keys_come_first() -> None:
    new, old = (
        slot_keys(normalise("Maria moved to Porto.")),
        slot_keys(normalise("Maria lives in Lisbon")),
    )
    assert set(new) & set(old)
    assert list(new) == sorted(new, key=len, reverse=True)


@pytest.mark.req("W-02")
@given(st.lists(CLAIMS, max_size=12, unique=True), CLAIMS)
def test_no_claim_that_would_be_struck_is_missed(texts: list[str], text: str) -> None:
    index, new = ClaimIndex(), normalise(text)
    for identity in texts:
        index.add(identity, normalise(identity))
    struck = {one for one in texts if isinstance(compare(new, normalise(one)), Updates)}
    assert struck <= set(index.candidates(new))
