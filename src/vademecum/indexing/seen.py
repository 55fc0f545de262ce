"""The last sweep that found nothing to do, kept as one digest: the next one compares that first."""

from __future__ import annotations

import contextlib
import marshal
import os
from itertools import chain
from pathlib import Path

from vademecum.core.ids import digest_of
from vademecum.core.ports import IndexCounts
from vademecum.workspace.scan import Scan


class Seen:
    """A small file in the state directory.

    It is there only while the index holds exactly what one scan saw: whoever changes the index
    forgets it first.
    """

    def __init__(self, state: Path) -> None:
        self._path = state / "seen"

    def matches(self, scan: Scan, counts: IndexCounts) -> bool:
        """Tell whether the index, at these counts, holds what `scan` saw. False when unsure."""
        try:
            remembered = self._path.read_text("ascii", "replace")
        except OSError:
            return False
        return remembered == _line(scan, counts)

    def remember(self, scan: Scan, counts: IndexCounts) -> None:
        """Keep that the index holds what `scan` saw; of no consequence where it cannot be."""
        beside = self._path.with_name(f"seen.{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.write_text(_line(scan, counts), "ascii")
            beside.replace(self._path)

    def forget(self) -> None:
        """Drop it, before the index changes. Raises OSError where it is there and stays."""
        self._path.unlink(missing_ok=True)


def _line(scan: Scan, counts: IndexCounts) -> str:
    # marshal: ten times as fast as any text, and read by nobody, only compared.
    seen = marshal.dumps(("\0".join(scan.files), list(chain.from_iterable(scan.files.values()))), 2)
    failed = len(scan.failed)
    digest = digest_of(seen)
    return f"{digest} {failed} {counts.revision} {counts.notes}\n"
