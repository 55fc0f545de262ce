"""What the readings share by which "the R of X is V" and a verb that says so meet in one slot."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.frames import Frame
from vademecum.markdown.compare.typed import kinds_of

Reader = Callable[[Frame, re.Match[str]], Frame | None]

SHAPED = later(r"[A-ZÀ-Þ0-9#@/$€£]|\w[-_.]\w|^the \w")
"""How a value looks: "the database of X is slow" gives none."""
_CLOCK, _DAY = frozenset({"time"}), frozenset({"weekday"})


def slot_of(frame: Frame, more: str) -> str:
    """Return the subject of a slot: the thing, and what is said of it besides the relation."""
    return f"{frame.subject}\x1e{more}" if more else frame.subject


def attribute(frame: Frame, noun: str) -> Frame:
    """Read it as the value of what the noun names."""
    return replace(frame, relation="attribute", subject=slot_of(frame, noun))


def at_time(frame: Frame, event: str, value: str) -> Frame | None:
    """Read it as the time, the weekday or the date of an event; None for any other value."""
    kinds = frozenset(kinds_of(tuple(value.split())))
    if not kinds or "number" in kinds:
        return None
    kind = "clock" if kinds == _CLOCK else "weekday" if kinds == _DAY else "date"
    kind = "moment" if kinds > _CLOCK else kind
    subject = slot_of(frame, f"{event}\x1e{kind}")
    return replace(frame, relation="when", subject=subject, value=value)
