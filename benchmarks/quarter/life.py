"""Days and sessions of the simulated team: who tells memory what, and when, from one seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from benchmarks.quarter.truths import LESSONS, TRIVIA, Truth, slots

Kind = Literal["stated", "spoken", "corrected", "repeated", "contradicted", "trivial", "lesson"]

HOURS = ("08:40", "10:20", "13:10", "15:30", "18:05")
"""When the sessions of a day begin."""


@dataclass(frozen=True)
class Event:
    """One thing that is said in a session, and the truth that it is about."""

    kind: Kind
    text: str
    truth: Truth | None = None


@dataclass(frozen=True)
class Session:
    """One session of a day: what is said in it, in order."""

    name: str
    at: str
    events: tuple[Event, ...]


@dataclass
class Life:
    """The team's life from a seed; `truths` grows while the days are drawn."""

    seed: int = 7
    spoken: float = 0.2
    """Share of the truths that are told in conversation only."""
    truths: list[Truth] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self._slots = slots(self._chance)

    def days(self, count: int) -> Iterator[tuple[Session, ...]]:
        """Yield the sessions of each day, from day 0."""
        for day in range(count):
            yield tuple(
                Session(f"day-{day:03}-{number}", at, tuple(self._events(day)))
                for number, at in enumerate(HOURS, 1)
            )

    def _events(self, day: int) -> Iterator[Event]:
        chance = self._chance
        if chance.random() < 0.55 and (new := self._new(day)) is not None:
            yield new
        if day >= 4 and chance.random() < 0.14 and (old := self._older_than(day - 3)) is not None:
            yield self._corrected(old, day)
        if chance.random() < 0.12 and (known := self._older_than(day - 1)) is not None:
            form = "decide" if known.spoken else "reworded"
            yield Event("repeated", known.said(form), known)
        if chance.random() < 0.06 and (known := self._older_than(day - 1)) is not None:
            wrong = chance.choice([one for one in known.attribute.values if one != known.value])
            yield Event("contradicted", known.said("guess", wrong), known)
        if chance.random() < 0.04:
            yield Event("lesson", chance.choice(LESSONS))
        for _ in range(chance.randint(1, 3)):
            yield Event("trivial", f"{chance.choice(TRIVIA)} ({chance.randint(1, 999)})")

    def _new(self, day: int) -> Event | None:
        slot = next(self._slots, None)
        if slot is None:
            return None
        service, attribute = slot
        spoken = self._chance.random() < self.spoken
        value = self._chance.choice(attribute.values)
        truth = Truth(service, attribute, spoken, [(day, value)])
        self.truths.append(truth)
        return Event(
            "spoken" if spoken else "stated", truth.said("decide" if spoken else "tell"), truth
        )

    def _corrected(self, truth: Truth, day: int) -> Event:
        past = {value for _, value in truth.values}
        fresh = [value for value in truth.attribute.values if value not in past]
        if not fresh:
            return Event("trivial", "Nothing changed")
        truth.values.append((day, self._chance.choice(fresh)))
        return Event("corrected", truth.said("decide" if truth.spoken else "change"), truth)

    def _older_than(self, day: int) -> Truth | None:
        old = [truth for truth in self.truths if truth.values[-1][0] <= day]
        return self._chance.choice(old) if old else None
