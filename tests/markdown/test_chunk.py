"""A note is cut into units whose lines, heading, day and neighbours are exact."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.notes import Chunk, Role
from vademecum.markdown.chunk import ChunkRules, chunk_note, estimate_tokens
from vademecum.markdown.lines import split
from vademecum.markdown.parse import parse_note

NOTE = """---
title: API style
description: How services talk
tags: [api, http]
---

# API style

An introduction
of two lines.

- one
  continued
- two
  - nested

| key | value |
|-----|-------|
| a   | 1     |

```py
# no heading

x = 1
```

## Later

> quoted
> twice
"""


def cut(
    text: str, path: str = "memory/api.md", role: Role = Role.CONCEPT, **rules: object
) -> tuple[Chunk, ...]:
    return chunk_note(parse_note(path, text, role), text, ChunkRules(**rules))  # type: ignore[arg-type]  # keywords of several types


@pytest.mark.req("I-02")
def test_each_bullet_paragraph_table_and_code_block_is_a_unit_with_its_lines() -> None:
    assert [(c.span.first, c.span.last, c.text.split("\n")[0]) for c in cut(NOTE)] == [
        (1, 5, "How services talk"),
        (9, 10, "An introduction"),
        (12, 13, "- one"),
        (14, 14, "- two"),
        (15, 15, "  - nested"),
        (17, 19, "| key | value |"),
        (21, 25, "```py"),
        (29, 30, "> quoted"),
    ]


@pytest.mark.req("I-02")
def test_heading_says_title_and_headings_above_once() -> None:
    chunks = cut(NOTE)
    assert chunks[1].heading == "API style"
    assert chunks[-1].heading == "API style › Later"
    assert chunks[-1].section != chunks[1].section


@pytest.mark.req("I-02")
def test_a_log_is_cut_by_lines_and_says_its_day_once() -> None:
    text = "# 2026-01-20\n\n### 10:30 — API\nDecided on REST.\nNot on GraphQL.\n"
    chunks = cut(text, "memory/2026-01-20.md", Role.LOG)
    assert [(c.span.first, c.text, c.heading, c.date) for c in chunks] == [
        (4, "Decided on REST.", "10:30 — API", date(2026, 1, 20)),
        (5, "Not on GraphQL.", "10:30 — API", date(2026, 1, 20)),
    ]
    assert chunks[0].passage == "2026-01-20 10:30 — API\nDecided on REST."


@pytest.mark.req("I-02")
def test_near_is_what_stands_before_and_after_in_the_section() -> None:
    first, second, third = cut("- a\n- b\n- c\n\n# Other\n\n- d\n")[:3]
    assert (first.near, second.near, third.near) == ("- b", "- a\n- c", "- b")


def test_rows_of_a_long_table_are_grouped_and_the_header_is_near() -> None:
    rows = "".join(f"| key number {n} | a value that takes some room |\n" for n in range(40))
    chunks = cut("| key | value |\n|---|---|\n" + rows)
    assert len(chunks) > 3
    assert [c.span.first for c in chunks[1:]] == [c.span.last + 1 for c in chunks[:-1]]
    assert all("| key | value |" in c.near for c in chunks[1:])
    assert all("| key | value |" not in c.text for c in chunks[1:])


@pytest.mark.req("I-02")
@pytest.mark.parametrize("unit", ["line", "section"])
@pytest.mark.parametrize("word", ["word{} ", "Sentence {} ends here. ", "第{}句话。", "x{}x"])
def test_no_chunk_is_longer_than_the_limit_and_nothing_is_left_out(unit: str, word: str) -> None:
    text = "".join(word.format(number) for number in range(700))
    chunks = cut(text, tokens=100, overlap=20, unit=unit)
    assert all(estimate_tokens(c.text) <= 100 for c in chunks)
    assert all((c.span.first, c.span.last) == (1, 1) for c in chunks)
    end = 0
    for chunk in chunks:
        start = text.index(chunk.text)
        assert start <= end < start + len(chunk.text)
        assert end == 0 or end - start > 20, "pieces overlap"
        end = start + len(chunk.text)
    assert end == len(text)


@pytest.mark.req("I-02")
def test_sections_are_packed_with_an_overlap_of_whole_units() -> None:
    text = "# A\n\n" + "".join(f"- item {n} with a few words more in it\n" for n in range(30))
    chunks = cut(text, unit="section", tokens=80, overlap=25)
    assert len(chunks) > 3
    for earlier, later in zip(chunks, chunks[1:], strict=False):
        assert earlier.span.first < later.span.first <= earlier.span.last


@pytest.mark.req("F-08")
def test_frontmatter_is_no_body_and_its_description_is_found_at_its_lines() -> None:
    chunks = cut(NOTE)
    assert chunks[0].text == "How services talk\napi, http"
    assert not any("description:" in c.text or "tags:" in c.text for c in chunks)
    assert [c.span.last for c in cut("---\ntitle: Only this\n---\n")] == [3]


def test_a_heading_with_nothing_below_is_found_by_its_line() -> None:
    chunks = cut("# A\n\n## Empty\n\n## Full\n\ntext\n")
    assert [(c.text, c.span.first) for c in chunks] == [("## Empty", 3), ("text", 7)]


def test_the_marks_of_a_generated_part_are_no_text() -> None:
    chunks = cut("<!-- vade:map (x) -->\n- [a](a.md)\n<!-- /vade:map -->\n")
    assert [c.text for c in chunks] == ["- [a](a.md)"]


@pytest.mark.parametrize("text", ["", "\n\n", "---\n---\n", "***\n", "\ufeff", "   \n\t\n"])
def test_a_note_without_text_has_at_most_its_blank_self(text: str) -> None:
    assert all(c.text.strip("\ufeff") == "" for c in cut(text))


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "## B",
                "- a",
                "  - b",
                "text",
                "",
                "> q",
                "```",
                "| x |",
                "|---|",
                "---",
                "é\r",
            ]
        ),
        max_size=25,
    ),
    st.sampled_from([Role.LOG, Role.CONCEPT]),
)
def test_the_text_of_a_chunk_is_exactly_its_lines(pieces: list[str], role: Role) -> None:
    text = "\n".join(pieces)
    lines = split(text)
    for chunk in cut(text, role=role):
        span = chunk.span
        assert "".join(lines[span.first - 1 : span.last]).rstrip("\r\n") == chunk.text


@given(
    st.lists(
        st.sampled_from(["# A", "- a", "word", "", "> q", "```", "```", "| x |", "    c"]),
        max_size=25,
    )
)
def test_every_line_with_words_is_in_a_chunk(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    held: set[int] = set()
    for chunk in cut(text):
        held |= set(range(chunk.span.first, chunk.span.last + 1))
    wordy = {n for n, line in enumerate(pieces, 1) if line.strip(" `|>-") and line[0] != "#"}
    assert wordy <= held


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("four", 1, 1),
        ("The quick brown fox jumps over the lazy dog.", 9, 13),
        ("我们决定使用灰度发布", 8, 12),
        ("Мы решили использовать", 6, 12),
    ],
)
def test_tokens_are_estimated_by_script(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_a_line_of_a_megabyte_is_cut_like_any_other() -> None:
    text = "- " + "some words of a very long line " * 33_000 + "\n\nnext\n"
    chunks = cut(text)
    assert len(chunks) > 700
    assert chunks[-1].span.first == 3
