"""The system's clock, read in the workspace's zone: the one place that says now."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


class SystemClock:
    """The clock of this machine."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone

    def now(self) -> datetime:
        """Return the present instant, aware, in the workspace's zone."""
        return datetime.now(self.zone)
