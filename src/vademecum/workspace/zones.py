"""Time zones by IANA name, and the one this machine is set to."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vademecum.core.errors import InvalidConfiguration

_LOCALTIME = Path("/etc/localtime")
_TIMEZONE = Path("/etc/timezone")
_FOLDER = "zoneinfo/"


def zone_named(name: str) -> ZoneInfo:
    """Return the zone `name`; UTC also where the system has no zone data.

    Raises InvalidConfiguration for a name that no zone has.
    """
    zone = _zone(name)
    if zone is None:
        raise InvalidConfiguration(
            f"There is no time zone {name!r}.",
            hint="Use an IANA name such as Europe/Berlin; the tzdata package holds them all.",
        )
    return zone


def system_zone(environment: Mapping[str, str]) -> ZoneInfo:
    """Return this machine's zone: TZ, else /etc/localtime, else /etc/timezone, else UTC.

    What names no IANA zone (`TZ=CET-1CEST`, a copied localtime) is passed over.
    """
    for name in (environment.get("TZ", "").removeprefix(":"), _linked(), _written()):
        zone = _zone(name.rpartition(_FOLDER)[2]) if name else None
        if zone is not None:
            return zone
    return _utc()


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return _utc() if name in ("UTC", "Etc/UTC") else None


def _linked() -> str:
    try:
        target = str(_LOCALTIME.readlink())
    except OSError:
        return ""
    return target if _FOLDER in target else ""


def _written() -> str:
    try:
        return _TIMEZONE.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def _utc() -> ZoneInfo:
    """Return UTC from the smallest zone file there is (RFC 8536): one type, offset 0."""
    try:
        return ZoneInfo("UTC")
    except (ZoneInfoNotFoundError, OSError):
        header = b"TZif" + b"\0" * 16 + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
        return ZoneInfo.from_file(BytesIO(header + b"\0" * 6 + b"UTC\0"), key="UTC")
