"""The notes of a workspace by path, for surfaces that offer them as a list."""

from __future__ import annotations

from datetime import datetime

from vademecum.core.frozen import dataclass
from vademecum.workspace.workspace import Workspace

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ListedNote:
    """One note on disk: its path, how many bytes it has and when it was last changed."""

    path: str
    size: int
    modified: datetime


class Listing:
    """The part of `Memory` that lists notes; no file is opened for it."""

    _workspace: Workspace

    def notes(self) -> tuple[ListedNote, ...]:
        """Return every note on disk at this moment, by path."""
        zone = self._workspace.zone
        return tuple(
            ListedNote(
                path, stamp.size, datetime.fromtimestamp(stamp.modified // _NANOSECONDS, zone)
            )
            for path, stamp in sorted(self._workspace.scan().files.items())
        )
