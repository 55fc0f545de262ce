"""What a line says, apart from what memory wrote around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.markdown.saying import said

SOURCE = "from [[2026-03-26#08:48 — Memory flush, session a, cycle 1]]"


@pytest.mark.req("R-01")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"- [stated] Heron is backed up. (2026-03-26, {SOURCE}) ^604e3a", "- Heron is backed up."),
        (
            f"- ~~[stated] Heron rests. (2026-01-23, {SOURCE})~~ superseded 2026-03-26 by ^a1 ^b2c",
            "- Heron rests.",
        ),
        ("- [DECISION] Heron rests ([[2026-03-26#08:48|08:48]])", "- [DECISION] Heron rests"),
        ("- [stated] A (since 2026-01-05, from [[a#^b]], [[c]]) <!-- slot: x --> ^id1", "- A"),
        ("[observed] Heron (the bird) sleeps ^abc", "Heron (the bird) sleeps"),
    ],
)
def test_the_provenance_of_a_claim_is_left_out(line: str, says: str) -> None:
    assert said(line) == says
    assert said(f"Heron\n{line}\n") == f"Heron\n{says}\n"


@pytest.mark.req("R-01")
@pytest.mark.parametrize(
    "line",
    [
        "The release is on a Friday (2026-05-01)",
        "See [[heron]] and [the guide](guide.md)",
        "- [ ] Ask about 2^8",
        "- [stated] (2026-01-01) ^abc",
        "^abc",
    ],
)
def test_any_other_line_stays(line: str) -> None:
    assert said(line) == line


@pytest.mark.req("R-01")
@given(st.text(max_size=80))
def test_any_text_can_be_asked_for_and_no_line_is_added_or_lost(text: str) -> None:
    assert said(text).count("\n") == text.count("\n")
