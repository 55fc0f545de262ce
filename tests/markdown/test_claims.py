"""Claims are read in the spellings of every profile, written and struck in one."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.claims import Claim
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import (
    block_ids,
    conflict_callout,
    read_claims,
    render_claim,
    strike,
    with_id,
)

DAY = date(2026, 1, 20)


def only(text: str) -> Claim:
    (claim,) = read_claims("a.md", text)
    return claim


@pytest.mark.req("W-04")
def test_the_one_form_is_read_with_all_its_parts() -> None:
    claim = only(
        "- [stated] Services talk REST (2026-01-20, from [[2026-01-20#10:30 — API]]) ^c7f3a1\n"
    )
    assert (claim.text, claim.tag, claim.since, claim.id) == (
        "Services talk REST", Tag.STATED, DAY, "c7f3a1",
    )  # fmt: skip
    assert claim.evidence == ("2026-01-20#10:30 — API",)
    assert claim.live


@pytest.mark.req("W-06")
@pytest.mark.parametrize(
    "line",
    [
        "- ~~[stated] Old (2026-01-10)~~ superseded 2026-01-20 by ^c7f3a1",
        "- ~~[Stated] Old~~ superseded 2026-01-20 (a reason (in detail))",
        "* superseded 2026-01-20: ~~Old [stated]~~",
        "- [stated] ~~Old~~ superseded 2026-01-20 by [[other note]]",
        "- [stated] Old\n> [Superseded 2026-01-20]",
        "> [Superseded 2026-01-20]\n- [stated] Old",
    ],
)
def test_a_superseded_line_is_read_as_such_in_every_spelling(line: str) -> None:
    claim = only(line + "\n")
    assert (claim.text, claim.tag, claim.until, claim.live) == ("Old", Tag.STATED, DAY, False)


def test_openclaw_metadata_above_a_bullet_dates_it() -> None:
    claim = only(
        "<!-- observed: 2026-01-20 | status: superseded -->\n\n- Be brief <!-- importance: 3 -->\n"
    )
    assert (claim.text, claim.since, claim.struck) == ("Be brief", DAY, True)


@pytest.mark.req("W-04")
@pytest.mark.parametrize(
    ("line", "text", "tag"),
    [
        ("- plain", "plain", Tag.UNKNOWN),
        ("1. [OBSERVED] counted", "counted", Tag.OBSERVED),
        ("- said so [inferred]", "said so", Tag.INFERRED),
        ("- [decision] basic memory #tag (context)", "basic memory #tag (context)", Tag.UNKNOWN),
        ("[suggested] no bullet", "no bullet", Tag.SUGGESTED),
        ("- 2026 was ~~bad~~ good", "2026 was ~~bad~~ good", Tag.UNKNOWN),
        ("- two\n  lines", "two lines", Tag.UNKNOWN),
    ],
)
def test_provenance_is_what_the_line_says_and_never_guessed(line: str, text: str, tag: Tag) -> None:
    claim = only(line + "\n")
    assert (claim.text, claim.tag) == (text, tag)


@pytest.mark.parametrize(
    "line",
    ["- [ ] task", "- [x] done", "- [-] dropped", "- [[link only]]", "-", "```\n- code\n```"],
)
def test_tasks_bare_links_and_code_are_no_claims(line: str) -> None:
    assert read_claims("a.md", line + "\n") == ()


def test_a_conflict_marks_the_claims_it_names_or_the_two_above() -> None:
    text = "- a ^aaa111\n- b ^bbb222\n- c ^ccc333\n"
    named = read_claims("a.md", text + conflict_callout(DAY, ("aaa111", "ccc333"), "both say"))
    assert [claim.conflict for claim in named] == [True, False, True]
    unnamed = read_claims("a.md", text + "> ⚠️ CONFLICT (2026-01-20): unclear\n")
    assert [claim.conflict for claim in unnamed] == [False, True, True]


@pytest.mark.req("W-06")
def test_striking_keeps_everything_and_puts_the_own_id_last() -> None:
    line = "  * [stated] Old (2026-01-10, from [[x]]) ^own111\r\n"
    struck = strike(line, DAY, "new222")
    assert struck == (
        "  * ~~[stated] Old (2026-01-10, from [[x]])~~ superseded 2026-01-20 by ^new222 ^own111\r\n"
    )
    claim = only(struck)
    assert (claim.id, claim.superseded_by, claim.until) == ("own111", "new222", DAY)
    assert strike(struck, date(2027, 1, 1), "other1") == struck


def test_an_id_is_given_once() -> None:
    assert with_id("- a\r\n", "abc123") == "- a ^abc123\r\n"
    assert with_id("- a ^abc123\n", "zzz999") == "- a ^abc123\n"
    assert block_ids("- a ^abc123\n- ~~b~~ superseded 2026-01-20 by ^abc123 ^bbb222\n") == {
        "abc123", "bbb222",
    }  # fmt: skip


WORDS = st.text(st.sampled_from("abcü日本 .,:;'\"!?/=+"), min_size=1, max_size=40).filter(str.strip)
LINKS = st.lists(st.sampled_from(["2026-01-20#10:30 — API", "memory/a b.md", "note"]), max_size=2)


@given(WORDS, st.sampled_from(Tag), st.none() | st.dates(), LINKS, st.sampled_from(["", "a1b2c3"]))
def test_what_is_rendered_is_read_back_and_struck_without_loss(
    text: str, tag: Tag, since: date | None, evidence: list[str], own: str
) -> None:
    line = render_claim(text, tag, since=since, evidence=evidence, id=own)
    live, struck = only(line + "\n"), only(strike(line, DAY, "fff000") + "\n")
    for claim in (live, struck):
        assert (claim.text, claim.tag, claim.since, claim.evidence, claim.id) == (
            " ".join(text.split()), tag, since, tuple(evidence), own,
        )  # fmt: skip
    assert (struck.struck, struck.until, struck.superseded_by) == (True, DAY, "fff000")


@pytest.mark.req("F-03", "R-04")
def test_a_mark_without_its_line_takes_nothing_from_the_successor_it_names() -> None:
    mark = "> [Superseded 2026-02-01] by ^bbb222\n"
    (new,) = read_claims("x.md", f"# X\n\n{mark}- [stated] A is two ^bbb222\n")
    assert new.live
    (after,) = read_claims("x.md", f"# X\n\n- [stated] A is two ^bbb222\n{mark}")
    assert after.live
    old, _ = read_claims(
        "x.md", f"- [stated] A is one ^aaa111\n{mark}- [stated] A is two ^bbb222\n"
    )
    assert (old.live, old.superseded_by, old.until) == (False, "bbb222", date(2026, 2, 1))
    told = "> [Superseded 2026-02-01] We deploy on Fridays only.\n"
    (above,) = read_claims("x.md", f"- [stated] We deploy on Mondays\n{told}")
    assert above.live  # the quote holds the old text itself
