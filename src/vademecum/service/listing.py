"""The notes of a workspace by path, for surfaces that offer them as a list."""

from __future__ import annotations

from datetime import datetime

from vademecum.core.frozen import dataclass
from vademecum.service.part import Part

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ListedNote:
    """One note on disk: its path, how many bytes it has and when it was last changed."""

    path: str
    size: int
    modified: datetime


class Listing(Part):
    """The part of `Memory` that lists notes; no file is opened for it."""

    def notes(self) -> tuple[ListedNote, ...]:
        """Return every note on disk at this moment, by path."""
        zone = self._workspace.zone
        with self._turn:
            found = sorted(self._workspace.scan().files.items())
        return tuple(
            ListedNote(
                path, stamp.size, datetime.fromtimestamp(stamp.modified // _NANOSECONDS, zone)
            )
            for path, stamp in found
        )
