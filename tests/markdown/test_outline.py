"""The line scanner finds the headings and code that CommonMark finds, faster."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.markdown.lines import split
from vademecum.markdown.outline import Kind, classify, closing_fence, heading_of

PIECES = [
    "# One",
    "## Two ##",
    "###### Six",
    "####### seven signs",
    "#tag",
    "   ### indented",
    "    # code",
    "#",
    "## \\#",
    "# a #b",
    "",
    "",
    "text",
    "text **bold**",
    "- item",
    "1. first",
    "> quote",
    "> # quoted heading",
    "```",
    "```python",
    "````",
    "~~~",
    "``` not `a fence",
    "<!-- a comment -->",
    "***",
    "\tindented by a tab",
    "| a | b |",
]


def headings_of(text: str) -> list[tuple[int, int]]:
    lines = split(text)
    kinds = classify(lines)
    found = [(number, heading_of(lines[number])) for number, kind in enumerate(kinds)]
    return [
        (number, heading[0])
        for number, heading in found
        if heading is not None and kinds[number] is Kind.HEADING
    ]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_headings_are_those_of_commonmark(pieces: list[str]) -> None:
    """Those in list items count too, as long as they are not indented like code."""
    commonmark = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    text = "\n".join(pieces) + "\n"
    expected = [
        (token.map[0], int(token.tag[1]))
        for token in commonmark.parse(text)
        if token.type == "heading_open"
        and token.markup.startswith("#")
        and pieces[token.map[0]].startswith(("#", " #", "  #", "   #"))
    ]
    assert headings_of(text) == expected


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Title\r\n", (1, "Title")),
        ("## 10:30 — API ##\n", (2, "10:30 — API")),
        ("#\n", (1, "")),
        ("### ###\n", (3, "")),
        ("# a \\#\n", (1, "a \\#")),
        ("#tag\n", None),
        ("    # code\n", None),
        ("####### seven\n", None),
        ("＃ wide\n", None),
    ],
)
def test_a_heading_is_told_with_level_and_title(line: str, heading: tuple[int, str] | None) -> None:
    assert heading_of(line) == heading


def test_an_entry_heading_ends_a_fence_that_was_never_closed() -> None:
    text = "### 10:30 — A\n```sh\n# a comment\n\n### 11:00 — B\ntext\n"
    assert headings_of(text) == [(0, 3), (4, 3)]


def test_a_closed_fence_keeps_an_entry_heading_in_it() -> None:
    assert headings_of("````md\n### 11:00 — B\n```\n````\n") == []


def test_a_comment_hides_headings_and_one_that_never_ends_does_not() -> None:
    assert headings_of("<!-- a\n# b\n-->\n# c\n") == [(3, 1)]
    assert headings_of("<!-- a\n# b\n") == [(1, 1)]


def test_a_fence_in_a_list_is_code_however_far_it_is_indented() -> None:
    lines = split("1. item\n     ```\n     [[not a link]]\n     ```\nafter\n")
    assert classify(lines)[1:4] == [Kind.CODE] * 3


def test_a_table_is_known_with_and_without_bars_at_its_ends() -> None:
    for text in ("| a | b |\n|---|---|\n| 1 | 2 |\n", "a | b\n--- | ---\n1 | 2\n"):
        assert classify(split(text)) == [Kind.TABLE] * 3


@pytest.mark.parametrize(
    ("text", "fence"),
    [("```\na", "```"), ("~~~~x\n```\n", "~~~~"), ("```\na\n```", ""), ("a ``` b", ""), ("", "")],
)
def test_the_fence_that_is_still_open_is_known(text: str, fence: str) -> None:
    assert closing_fence(split(text)) == fence


@pytest.mark.parametrize(
    "line",
    ["# " + " " * 200_000 + "x", "-" + " -" * 100_000 + "x", "|" + " " * 200_000, "- " * 100_000],
)
def test_a_hostile_long_line_is_read_at_once(line: str) -> None:
    assert len(classify([line])) == 1  # a quadratic pattern would take minutes here
