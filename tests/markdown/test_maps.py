"""A map is read in every spelling, and only its generated part is ever written."""

import pytest

from vademecum.markdown.maps import BEGIN, END, MapEntry, markers_defect, read_map, render_map

MAP = """# Map

Hand-written.\r
- [API](decisions/api.md) - How services talk
* [With space](a%20b.md "t") — text
- [[lessons/x|Lesson]] 🔴✅: why
- no link
| File | Priority | Note |
|---|---|---|
| [[kim]] | 🟡 | prefers mornings |
"""


@pytest.mark.req("F-09")
def test_bullets_and_tables_of_all_profiles_are_read() -> None:
    assert [(e.target, e.title, e.description, e.marks, e.line) for e in read_map(MAP)] == [
        ("decisions/api.md", "API", "How services talk", "", 4),
        ("a b.md", "With space", "text", "", 5),
        ("lessons/x", "Lesson", "why", "🔴✅", 6),
        ("kim", "kim", "prefers mornings", "🟡", 10),
    ]


@pytest.mark.req("F-09")
def test_the_part_written_by_hand_stays_byte_by_byte() -> None:
    entries = [
        MapEntry("p/q (1).md", "Q [x]", "one\nline", "🔴"),
        MapEntry("decisions/api.md", "API"),
    ]
    once = render_map(MAP, entries)
    assert once.startswith(MAP)
    assert once[len(MAP) :] == f"\n{BEGIN}\n- [Q (x)](p/q%20%281%29.md) - one line 🔴\n{END}\n"
    after = once + "\n\ntail by hand"
    assert render_map(after, []) == f"{MAP}\n{BEGIN}\n{END}\n\n\ntail by hand"
    assert render_map(once, entries) == once


def test_what_is_written_is_read_back() -> None:
    entries = [
        MapEntry("p/q (1).md", "Q", "one", "🔴✅", "Things"),
        MapEntry("日本.md", "日本", ""),
    ]
    found = read_map(render_map("", entries))
    assert [(e.target, e.title, e.description, e.marks) for e in found] == [
        ("p/q (1).md", "Q", "one", "🔴✅"),
        ("日本.md", "日本", "", ""),
    ]
    assert all(e.generated for e in found)


@pytest.mark.parametrize(
    "text", [BEGIN + "\n- x\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{BEGIN}\n{END}\n"]
)
def test_broken_markers_are_a_defect_and_nothing_is_written(text: str) -> None:
    assert markers_defect(text)
    assert render_map(text, [MapEntry("a.md", "A")]) == text


@pytest.mark.req("F-09")
def test_marks_are_kept_wherever_they_stand_when_another_line_changes() -> None:
    text = f"{BEGIN}\n- 🔴 [Booking](booking.md) - Four taps\n{END}\n"
    (booking,) = read_map(text)
    assert (booking.marks, booking.description) == ("🔴", "Four taps")
    assert "- [Booking](booking.md) - Four taps 🔴\n" in render_map(text, [booking])
