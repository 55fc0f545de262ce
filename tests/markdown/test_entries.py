"""Entries of a log are read however they are spelled and written in one way."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.forms import LogForm
from vademecum.markdown.entries import form_of_log, log_heading, read_entries, render_entry
from vademecum.markdown.lines import split
from vademecum.markdown.outline import closing_fence

DAY = date(2026, 1, 20)


def times_and_titles(text: str) -> list[tuple[str, str]]:
    return [(entry.time, entry.title) for entry in read_entries("a.md", text, DAY)]


@pytest.mark.req("F-06")
def test_an_entry_is_written_below_the_day_in_the_one_form() -> None:
    assert log_heading(DAY) == "# 2026-01-20\n"
    assert render_entry("10:30", "API\ndiscussion", "Decided on REST.\n") == (
        "\n### 10:30 — API discussion\nDecided on REST.\n"
    )
    assert render_entry("10:30", "API discussion", "") == "\n### 10:30 — API discussion\n"


@pytest.mark.req("F-10")
def test_a_log_of_a_bundle_begins_with_its_type() -> None:
    text = log_heading(DAY, framed=True) + render_entry("10:30", "API", "text")
    assert text.startswith("---\ntype: log\n---\n\n# 2026-01-20\n")
    assert times_and_titles(text) == [("10:30", "API")]


@pytest.mark.req("F-06")
@pytest.mark.parametrize(
    ("line", "time", "title"),
    [
        ("### 10:30 — API discussion", "10:30", "API discussion"),
        ("### 10:30", "10:30", ""),
        ("## 02:14 UTC — Heartbeat", "02:14", "Heartbeat"),
        ("### [23:23 GMT+7] Zoned", "23:23", "Zoned"),
        ("### 9:00 AM EST - Morning", "09:00", "Morning"),
        ("### 12:05 p.m. Lunch", "12:05", "Lunch"),
        ("### 12:05 am", "00:05", ""),
        ("### 07:30-09:15 Range", "07:30", "Range"),
        ("### ~13:00: About", "13:00", "About"),
        ("### （02:26）夜", "02:26", "夜"),
        ("### **10:30** Bold", "10:30", "Bold"),
        ("### 2026-01-20 10:30 Dated", "10:30", "Dated"),
        ("### Sync (14:05)", "14:05", "Sync"),
        ("### Sync @ 14:05", "14:05", "Sync"),
        ("### 25:99 Impossible", "", "25:99 Impossible"),
        ("### Ratio 3:1 of 10:100", "", "Ratio 3:1 of 10:100"),
        ("- 10:15 A bullet", "10:15", "A bullet"),
        ("- 10:15 API moved", "10:15", "API moved"),
        ("- 10:15 CEST API moved", "10:15", "API moved"),
    ],
)
def test_the_time_of_an_entry_is_read_in_many_spellings(line: str, time: str, title: str) -> None:
    assert times_and_titles(f"# 2026-01-20\n\n{line}\n") == [(time, title)]


def test_headings_below_an_entry_and_bullets_in_it_belong_to_it() -> None:
    text = "### 10:30 — A\ntext\n#### Detail\n- 09:00 then\n### Untimed\n### 11:00 — B\n"
    entries = read_entries("a.md", text, DAY)
    assert [(e.title, e.span.first, e.span.last) for e in entries] == [
        ("A", 1, 4),
        ("Untimed", 5, 5),
        ("B", 6, 6),
    ]
    assert entries[0].body == "text\n#### Detail\n- 09:00 then"


def test_a_day_may_change_within_a_file() -> None:
    text = "# 2026-01-20\n### 23:35 — A\n# 2026-01-21\n### 00:48 — B\n"
    assert [e.day.day for e in read_entries("a.md", text, DAY)] == [20, 21]


def test_a_log_of_plain_prose_is_one_entry() -> None:
    text = "# Tuesday, January 20th\n\nNothing much.\n"
    assert [(e.title, e.body) for e in read_entries("a.md", text, DAY)] == [
        ("Tuesday, January 20th", "Nothing much.")
    ]


@pytest.mark.req("F-06")
@pytest.mark.parametrize(
    "body",
    [
        "### 09:00 — forged",
        "# 2026-01-19\n### 09:00 — forged",
        "# Plan",
        "```\nnever closed",
        "~~~~\n```",
        "<!-- never closed",
        "#### 09:00 deep",
        "---\ntype: x\n---",
        "Meeting\n## at (09:00)",
        "- item\n   ```\n   never closed",
    ],
)
@pytest.mark.parametrize("form", LogForm)
def test_no_text_can_pass_for_another_entry_or_swallow_the_next(body: str, form: LogForm) -> None:
    text = (
        log_heading(DAY, form=form)
        + render_entry("10:30", "A", body, form)
        + render_entry("11:00", "B", "b", form)
    )
    assert times_and_titles(text) == [("10:30", "A"), ("11:00", "B")]
    assert closing_fence(split(text)) == ""
    assert ("\n- 11:00 B\n" if form is LogForm.BULLET else "\n### 11:00 — B\n") in text


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=60),
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=80),
)
@pytest.mark.parametrize("form", LogForm)
def test_whatever_is_logged_is_one_entry_and_its_words_are_kept(
    form: LogForm, title: str, body: str
) -> None:
    text = (
        log_heading(DAY, form=form)
        + render_entry("10:30", "T" + title, body, form)
        + render_entry("11:00", "B", "", form)
    )
    first, second = read_entries("a.md", text, DAY)
    assert (first.time, second.time) == ("10:30", "11:00")
    kept = [sign for sign in first.body if sign.isalnum()]
    assert kept == [sign for sign in body if sign.isalnum()]


@pytest.mark.req("F-06", "F-03")
def test_an_entry_without_a_title_begins_in_its_bullet() -> None:
    assert render_entry("10:30", "", "Rye ran out.\nBought more.", LogForm.BULLET) == (
        "- 10:30 Rye ran out.\n  Bought more.\n"
    )
    assert render_entry("10:30", "", "- a list", LogForm.BULLET) == "- 10:30\n  - a list\n"
    headed = "# 2026-01-20\n\n### 09:00 — By hand\n"
    assert form_of_log(headed, LogForm.BULLET) is LogForm.HEADING
    assert form_of_log("# 2026-01-20\n\n- 09:00 so\n", LogForm.BULLET) is LogForm.BULLET
