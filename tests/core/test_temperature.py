"""Temperature: the formula and its edges."""

from __future__ import annotations

import math

import pytest

from vademecum.core.temperature import Priority, Temperature, Warmth, priority_of


@pytest.mark.req("L-05")
@pytest.mark.parametrize(
    ("days", "references", "priority", "value", "warmth"),
    [
        (0, 3, Priority.CORE, 1.0, Warmth.HOT),
        (0, 0, Priority.REFERENCE, 0.5, Warmth.WARM),
        (0, 3, Priority.REFERENCE, 0.8, Warmth.HOT),
        (0, 0, Priority.CORE, 0.7, Warmth.WARM),
        (17, 0, Priority.REFERENCE, 0.5 * math.exp(-0.51), Warmth.WARM),
        (18, 0, Priority.REFERENCE, 0.5 * math.exp(-0.54), Warmth.COLD),
        (10_000, 3, Priority.REFERENCE, 0.3, Warmth.COLD),
        (10_000, 30, Priority.IMPORTANT, 0.4, Warmth.WARM),
        (10_000, 1, Priority.CORE, 0.3, Warmth.COLD),
        (-5, 0, Priority.REFERENCE, 0.5, Warmth.WARM),
    ],
)
def test_a_temperature_is_the_sum_of_age_references_and_priority(
    days: int, references: int, priority: Priority, value: float, warmth: Warmth
) -> None:
    found = Temperature(days, references, priority)
    assert found.value == pytest.approx(value)
    assert found.value == pytest.approx(found.age + found.referred + found.worth)
    assert found.warmth is warmth


@pytest.mark.req("L-05")
def test_age_counts_half_after_about_twenty_three_days() -> None:
    assert Temperature(23, 0, Priority.REFERENCE).age == pytest.approx(0.25, abs=0.002)


@pytest.mark.req("L-05")
@pytest.mark.parametrize(
    ("written", "priority"),
    [("core", Priority.CORE), ("🔴", Priority.CORE), (" Important ", Priority.IMPORTANT),
     ("🟡", Priority.IMPORTANT), ("⚪", Priority.REFERENCE), ("", Priority.REFERENCE),
     ("urgent!", Priority.REFERENCE)],
)  # fmt: skip
def test_a_priority_is_read_by_word_and_by_mark(written: str, priority: Priority) -> None:
    assert priority_of(written) is priority
