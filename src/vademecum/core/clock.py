"""Days and instants: the one place that says which local day an instant belongs to."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo


def human_day(instant: datetime, zone: ZoneInfo) -> date:
    """Return the local calendar day of an aware `instant` in `zone`."""
    return instant.astimezone(zone).date()


def clock_time(instant: datetime, zone: ZoneInfo) -> str:
    """Return `HH:MM` of an aware `instant` in `zone`."""
    return instant.astimezone(zone).strftime("%H:%M")
