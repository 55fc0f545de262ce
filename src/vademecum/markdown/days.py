"""The day that a name or a property holds."""

from __future__ import annotations

from datetime import date

from vademecum.core.patterns import later

ISO_DAY = later(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_COMPACT_DAY = later(r"(?<![\d-])((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")


def day_in_name(path: str) -> date | None:
    """Return the day a file's name holds: `2026-01-20-slug`, `20260120`, `slug-2026-01-20`, …

    A time behind the day does not matter; a range of days or a week is no day.
    """
    name = path[path.rfind("/") + 1 :]
    if not any(sign.isdigit() for sign in name):
        return None
    stem = name.removesuffix(".md")
    days = ISO_DAY.findall(stem) or _COMPACT_DAY.findall(stem)
    return day_of(*days[0]) if len(days) == 1 else None


def day_of(year: str, month: str, day: str) -> date | None:
    """Return the day, None where the calendar has none such."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
