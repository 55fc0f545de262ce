"""A glance between two sweeps: folders and the notes changed last, where changes show first."""

from __future__ import annotations

from heapq import nlargest
from pathlib import Path

from vademecum.workspace.scan import Scan

_NEWEST = 48
_MOST_FOLDERS = 200


class Glance:
    """Remembers how the likeliest places looked; a hundredth of a sweep, and not as thorough.

    A note that came, went or was replaced shows in its folder, an edit in place where the note is
    among those changed last. What it misses the next sweep finds.
    """

    def __init__(self, root: Path, scan: Scan) -> None:
        newest = nlargest(_NEWEST, scan.files, key=lambda path: scan.files[path].modified)
        folders = dict.fromkeys(path.rpartition("/")[0] for path in (*newest, *scan.files))
        places = dict.fromkeys(("", *list(folders)[:_MOST_FOLDERS], *newest))
        self._places = [root / place for place in places]
        self._looks = self._look()

    def sees_change(self) -> bool:
        """Tell whether any of the places looks different now."""
        return self._look() != self._looks

    def _look(self) -> list[tuple[int, ...]]:
        return [_look_at(place) for place in self._places]


def _look_at(place: Path) -> tuple[int, ...]:
    try:
        seen = place.lstat()
    except OSError:
        return ()
    return (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)
