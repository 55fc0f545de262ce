"""A question is read for its words and the days it names, whatever it holds."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.recall.dates import Between, Monthly, Year, days_named
from vademecum.recall.parse import LONGEST, parse

TODAY = date(2026, 1, 20)


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what happened on 7 May 2023?", Monthly(5, 7, 7, 2023)),
        ("what happened on May 7th, 2023?", Monthly(5, 7, 7, 2023)),
        ("was geschah am 7. Mai?", Monthly(5, 7, 7)),
        ("¿qué pasó el 3 de mayo de 2024?", Monthly(5, 3, 3, 2024)),
        ("que s'est-il passé en août ?", Monthly(8)),
        ("2025年1月发生了什么", Monthly(1, year=2025)),
        ("8月初去了哪里", Monthly(8, 1, 10)),
        ("二月下旬做了什么", Monthly(2, 21, 31)),
        ("1월 5일에 뭐 했어", Monthly(1, 5, 5)),
        ("3月14日の会議", Monthly(3, 14, 14)),
        ("log of 2025-03-04", Monthly(3, 4, 4, 2025)),
        ("in early January", Monthly(1, 1, 10)),
        ("Anfang März", Monthly(3, 1, 10)),
        ("yesterday", Between(date(2026, 1, 19), date(2026, 1, 19))),
        ("letzte Woche", Between(date(2026, 1, 12), date(2026, 1, 18))),
        ("上个月", Monthly(12, year=2025)),
        ("how was 2023", Year(2023)),
    ],
)
def test_days_are_read_in_many_languages(text: str, expected: object) -> None:
    assert days_named(text, TODAY) == (expected,)


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    "text",
    ["What may I do?", "May Caroline come?", "march on", "the Mars rover", "v2.2023.1", "no day"],
)
def test_words_that_only_look_like_months_name_no_day(text: str) -> None:
    assert days_named(text, TODAY) == ()


@pytest.mark.req("R-02")
def test_a_day_is_close_to_its_neighbours_and_its_month() -> None:
    day = Monthly(3, 14, 14)
    assert day.closeness(date(2025, 3, 14)) == 1.0
    assert day.closeness(date(2025, 3, 15)) == day.closeness(date(2025, 3, 30)) == 0.5
    assert day.closeness(date(2025, 4, 14)) == 0.0
    assert Monthly(3).closeness(date(2025, 4, 1)) == 0.0


@pytest.mark.req("R-02")
@given(st.text())
def test_any_text_is_a_question(text: str) -> None:
    question = parse(text, TODAY)
    assert len(question.text) <= LONGEST


@pytest.mark.req("R-02")
def test_dates_that_no_calendar_has_are_no_error() -> None:
    assert days_named("on 2025-13-45, 31 February and 99月99日", TODAY)


@pytest.mark.req("R-02")
@pytest.mark.parametrize("query", ["5 APRİL", "aprıl 2024", "heute oder hıer"])
def test_a_day_in_turkish_letters_is_no_error(query: str) -> None:
    """Where case is ignored they count as an i, but they are no letters of any name here."""
    parse(query, TODAY)
