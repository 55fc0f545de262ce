"""Temperature: how present a note is, by its age, who refers to it, and what it is worth."""

from __future__ import annotations

import enum
import math

from vademecum.core.frozen import dataclass

AGE_SHARE, REFERENCE_SHARE, PRIORITY_SHARE = 0.5, 0.3, 0.2
DECAY = 0.03
"""A day; age counts half after about 23 days."""
MANY = 3
"""References within a week from which more make no difference."""
WEEK = 7
HOT, COLD = 0.7, 0.3


class Priority(enum.StrEnum):
    """What a note is worth: core (🔴), important (🟡), or reference (⚪, and what says nothing)."""

    CORE = "core"
    IMPORTANT = "important"
    REFERENCE = "reference"

    @property
    def weight(self) -> float:
        """Return 1 for core, a half for important, 0 for reference."""
        return {Priority.CORE: 1.0, Priority.IMPORTANT: 0.5}.get(self, 0.0)


class Warmth(enum.StrEnum):
    """Hot above 0.7, cold up to 0.3, warm between."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


@dataclass(frozen=True, slots=True)
class Temperature:
    """`0.5·exp(-0.03·days) + 0.3·min(references / 3, 1) + 0.2·priority`, and its terms.

    `days` are whole local days since the note was made (none below 0); `references` are wikilinks
    to it and mentions of its day in the logs of the last seven days.
    """

    days: int
    references: int
    priority: Priority

    @property
    def age(self) -> float:
        """Return the term of age, 0 to 0.5."""
        return AGE_SHARE * math.exp(-DECAY * max(self.days, 0))

    @property
    def referred(self) -> float:
        """Return the term of references, 0 to 0.3."""
        return REFERENCE_SHARE * min(self.references / MANY, 1.0)

    @property
    def worth(self) -> float:
        """Return the term of priority, 0 to 0.2."""
        return PRIORITY_SHARE * self.priority.weight

    @property
    def value(self) -> float:
        """Return the temperature, 0 to 1."""
        return self.age + self.referred + self.worth

    @property
    def warmth(self) -> Warmth:
        """Return which of the three it is."""
        if self.value > HOT:
            return Warmth.HOT
        return Warmth.WARM if self.value > COLD else Warmth.COLD


_SPELLED = {
    "🔴": Priority.CORE,
    "🟡": Priority.IMPORTANT,
    "⚪": Priority.REFERENCE,
    **{priority.value: priority for priority in Priority},
}


def priority_of(written: str) -> Priority:
    """Return the priority that a note's frontmatter names, by word or mark; else `reference`."""
    return _SPELLED.get(written.strip().casefold(), Priority.REFERENCE)
