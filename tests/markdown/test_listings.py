"""Rows of notes in tables that people keep: added and kept in step, every other line as it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.forms import Column, Listing
from vademecum.markdown.listings import Listed, drop_row, has_row, put_row, targets_in

LESSONS = Listing(
    "lessons",
    "Lessons",
    (Column("File", "link"), Column("Status", "status"), Column("Note", "description")),
)
BULLETS = Listing("decisions", "Decisions")


def leads(target: str, own: bool) -> bool:
    return target.removesuffix(".md") in ("lessons/a", "memory/lessons/a") or (
        target == "a" and own
    )


def row(description: str = "one", **more: str | bool) -> Listed:
    given_ = {"status": "✅", "description": description, **more}
    return Listed("[[lessons/a]]", "memory/lessons/a.md", "A", **given_)  # type: ignore[arg-type]  # keywords of several types


@pytest.mark.req("F-09")
def test_a_section_and_a_table_are_made_where_they_are_missing() -> None:
    made = put_row("# Map\n", LESSONS, leads, None, row())
    table = "## Lessons\n\n| File | Status | Note |\n|---|---|---|\n| [[lessons/a]] | ✅ | one |\n"
    assert made == f"# Map\n\n{table}"
    assert put_row("# Map\n\n## lessons:\n\n## Next\n", LESSONS, leads, None, row()) == (
        "# Map\n\n## lessons:\n\n" + table.removeprefix("## Lessons\n\n") + "\n## Next\n"
    )
    footed = put_row("# Map\n\nLast updated: 2026-01-01\n", BULLETS, leads, None, row())
    assert footed == (
        "# Map\n\n## Decisions\n\n- [A](memory/lessons/a.md) - one\n\nLast updated: 2026-01-01\n"
    )


@pytest.mark.req("F-09")
@pytest.mark.parametrize(
    ("theirs", "after"),
    [
        ("| [[a]] | ✅ | one |", "| [[a]] | 🔀 | two |"),
        ("| [[a]]|✅|mine |", "| [[a]]|🔀|mine |"),
        ("| [A](lessons/a.md) | draft | one |", "| [A](lessons/a.md) | 🔀 | two |"),
        ("| `lessons/a.md` | | one |", "| `lessons/a.md` | 🔀 | two |"),
        ("| [[a]] | ✅ |", "| [[a]] | ✅ 🔀 |"),
    ],
)
def test_of_a_row_that_is_there_only_cells_that_say_what_was_written_change(
    theirs: str, after: str
) -> None:
    text = f"# Map\n\n## Lessons\n\n| File | Status | Note |\n|---|---|---|\n{theirs}\n\nEnd.\n"
    done = put_row(text, LESSONS, leads, row(), row("two", status="🔀", flagged=True))
    assert done == text.replace(theirs, after)


@pytest.mark.req("F-09")
@pytest.mark.parametrize(("own", "now"), [("✅", "🔀"), ("⚠️", "🔀"), ("draft", "🔀 draft")])
def test_a_conflict_takes_the_place_of_a_mark_that_all_is_well(own: str, now: str) -> None:
    text = f"## Lessons\n\n| File | Status | Note |\n|---|---|---|\n| [[a]] | {own} | mine |\n"
    held = row(status="🔀", flagged=True)  # so it was before, and nobody had marked the row
    assert put_row(text, LESSONS, leads, held, held) == text.replace(own, now)


@pytest.mark.req("F-09")
def test_columns_of_others_stay_empty_and_what_is_first_comes_first() -> None:
    text = "## Lessons\n\n| Lesson | Owner | Note |\n|---|---|---|\n| [[b]] | Ada | x |\n"
    done = put_row(text, LESSONS, leads, None, row(priority="🔴"))
    assert done == text.replace("| [[b]]", "| [[lessons/a]] |  | one |\n| [[b]]")


@pytest.mark.req("F-09", "B-03")
def test_a_row_goes_with_its_note_and_not_with_another_of_its_line() -> None:
    text = "## Lessons\n\n- [A](lessons/a.md)\n- [A](lessons/a.md) and [B](lessons/b.md)\n"
    assert has_row(text, LESSONS, leads)
    assert drop_row(text, LESSONS, leads) == text.replace("- [A](lessons/a.md)\n", "", 1)
    assert list(targets_in("- see `memory/people/kim.md` and x\n")) == [(1, "memory/people/kim.md")]


@given(
    st.lists(
        st.sampled_from(
            [
                "# Map",
                "## Lessons",
                "## People",
                "",
                "prose",
                "| File | Status | Note |",
                "|---|---|---|",
                "| [[b]] | ✅ | b |",
                "| a | b |",
                "- [C](c.md) - c",
                "- [ ] task",
                "```",
                "| x \\| y | z | w |",
                "Last updated: 2026-01-01",
                "> quote",
                "---",
            ]  # fmt: skip
        ),
        max_size=14,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_whatever_a_map_holds_every_line_stays_and_the_note_is_listed_once(
    lines: list[str], end: str, closed: bool
) -> None:
    text = end.join(lines) + (end if closed else "")
    once = put_row(text, LESSONS, leads, None, row())
    kept = [line for line in re.split(r"\r?\n", once) if line.strip()]
    for line in (line for line in lines if line.strip()):
        assert line in kept
        kept.remove(line)
    if "```" not in lines:  # in a fence that never closes nothing is listed
        assert "lessons/a" in once
        assert has_row(once, LESSONS, leads)
        assert put_row(once, LESSONS, leads, row(), row()) == once
