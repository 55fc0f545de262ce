"""What to look at: files on disk against the stamps that the index remembers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vademecum.core.frozen import dataclass
from vademecum.core.ports import FileStamp
from vademecum.workspace.scan import Scan, is_within

_GRAIN = 20_000_000
"""Nanoseconds within which two changes may leave equal stamps: two ticks of a coarse clock."""
_COARSE_GRAIN = 2_000_000_000
"""The same where the file system keeps whole seconds only."""
_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Which notes to read, the newest first, and which are certainly gone."""

    look: tuple[str, ...]
    """New to the index, or with a stamp that moved."""
    gone: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Whether the index has what is on disk."""
        return not self.look and not self.gone


def plan(
    scan: Scan,
    stamps: Mapping[str, tuple[FileStamp, str]],
    paths: Collection[str] | None = None,
) -> Plan:
    """Compare; with `paths` (files or folders, relative) only what is at or below them counts.

    Nothing is gone that the scan could not look at.
    """
    look = [
        path
        for path, stamp in scan.files.items()
        if (known := stamps.get(path)) is None or known[0] != stamp
    ]
    asked = stamps if paths is None else [path for path in stamps if is_within(path, paths)]
    gone = [path for path in asked if scan.is_gone(path)] if _may_miss(scan, stamps) else []
    if paths is not None:
        look = [path for path in look if is_within(path, paths)]
    look.sort(key=lambda path: (-scan.files[path].modified, path))
    return Plan(tuple(look), tuple(sorted(gone)))


def settled_stamp(stamp: FileStamp, tick: int) -> FileStamp:
    """Return the stamp to remember for content read after `tick`, the file system's time.

    A file that changed at about that time could change again without its stamp moving; it is
    remembered with a stamp that no file has, so that the next sweep looks at it once more.
    """
    grain = _GRAIN if stamp.changed % _SECOND else _COARSE_GRAIN
    if max(stamp.changed, stamp.modified) < tick - grain:
        return stamp
    return FileStamp(stamp.size, stamp.modified, -1, stamp.inode)


def _may_miss(scan: Scan, stamps: Mapping[str, tuple[FileStamp, str]]) -> bool:
    return len(stamps) != len(scan.files) or stamps.keys() != scan.files.keys()
