"""Entries of a daily log."""

from __future__ import annotations

from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in a daily log: `### HH:MM — Title` and the lines below it."""

    day: date
    time: str
    """`HH:MM` as written; empty where the heading has no readable time."""
    title: str
    body: str
    span: Span
