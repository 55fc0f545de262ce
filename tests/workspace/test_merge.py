"""Three-way merge: what both made of a file, or no answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.workspace.merge import merge

LINES = st.lists(st.sampled_from(["a", "b", "- one ^a1", "- two ^b2", "", "# h"]), max_size=8)


def text(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.req("B-02")
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n"),
        ("a\nb\n", "a\nb\nx\n", "y\na\nb\n", "y\na\nb\nx\n"),
        ("a\n", "a\nours\n", "a\ntheirs\n", "a\ntheirs\nours\n"),
        ("a\n", "a\nsame\n", "a\nsame\n", "a\nsame\n"),
        ("a\n", "a\nok\none\n", "a\nok\ntwo\n", "a\nok\ntwo\nok\none\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nC\n", None),
        ("a\n", "A\n", "AA\n", None),
        ("a\nb\n", "b\n", "a\nB\n", None),
        ("a\nb\n", "a\nb\nc\n", "", None),
        ("a\nb", "a\nb\nc", "A\nb", "A\nb\nc\n"),
        ("a\nb\n", "A\nb\n", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n"),
    ],
)
def test_lines_are_merged_or_refused(base: str, ours: str, theirs: str, merged: str | None) -> None:
    found = merge(base.encode(), ours.encode(), theirs.encode())
    assert found == (None if merged is None else merged.encode())


@pytest.mark.req("B-02", "W-06")
def test_claims_are_merged_by_their_id_wherever_they_stand() -> None:
    base = "- one ^aa1\n- two ^bb2\n- three ^cc3\n"
    ours = "- ~~one~~ superseded ^aa1\n- new ^dd4\n- two ^bb2\n- three ^cc3\n"
    theirs = "- one ^aa1\n- two, better ^bb2\n- also ^ee5\n- three ^cc3\n"
    found = merge(base.encode(), ours.encode(), theirs.encode())
    assert found is not None
    assert found.decode().splitlines() == [
        "- ~~one~~ superseded ^aa1",
        "- new ^dd4",
        "- two, better ^bb2",
        "- also ^ee5",
        "- three ^cc3",
    ]


@pytest.mark.req("B-02", "W-06")
def test_a_claim_that_both_changed_is_never_merged() -> None:
    base, struck, edited = (
        f"# n\n- {text} ^aa1\n".encode() for text in ("x", "~~x~~ superseded", "y")
    )
    assert merge(base, struck, edited) is None
    assert merge(base, edited, struck) is None


@pytest.mark.req("F-08", "B-02")
def test_a_property_is_not_written_twice() -> None:
    base = b"---\ntype: note\n---\nx\n"
    ours = b"---\ntype: note\nstatus: active\n---\nx\n"
    theirs = b"---\ntype: note\nstatus: done\n---\nx\n"
    assert merge(base, ours, theirs) is None


@pytest.mark.req("B-02")
@given(LINES, LINES, LINES)
def test_nothing_that_either_added_is_dropped(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    found = merge(text(base), text(ours), text(theirs))
    if found is None:
        return
    merged = found.decode().splitlines()
    for line in {*ours, *theirs} - set(base):
        assert line in merged
    for line in set(base) & set(ours) & set(theirs):
        if base.count(line) == 1:  # of two equal lines each side may have removed one
            assert line in merged


@pytest.mark.req("B-02")
@given(LINES, LINES)
def test_where_only_one_changed_the_change_stands(base: list[str], ours: list[str]) -> None:
    assert merge(text(base), text(ours), text(base)) == text(ours)
    assert merge(text(base), text(base), text(ours)) == text(ours)
    assert merge(text(base), text(ours), text(ours)) == text(ours)


@pytest.mark.req("B-02")
def test_a_claim_that_both_have_among_what_they_added_stands_once() -> None:
    base = b"# Racks\n\n"
    ours = base + b"- h1 ^aaa1\n- h2 ^aaa2\n- h3 ^aaa3\n"
    theirs = base + b"- h1 ^aaa1\n- h2 ^aaa2\nby hand\nby hand\n"
    both = merge(base, ours, theirs)
    assert both == theirs + b"- h3 ^aaa3\n"
    assert merge(base, theirs, ours) == ours + b"by hand\nby hand\n"
