"""Files that have a second name, by a hard link, which may be in the memory of another agent."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

Known: TypeAlias = tuple[int, int]
"""Device and inode: what the system knows a file by, whatever it is called."""


def linked(path: Path, but: Collection[Path] = ()) -> frozenset[Known]:
    """Return the regular files at or below `path` that have several names, outside of `but`.

    Paths are real. What cannot be looked at counts as not there.
    """
    return frozenset(_linked(path, {str(one) for one in but}))


def _linked(path: Path, closed: Collection[str]) -> Iterator[Known]:
    if not path.is_dir():
        yield from _known((str(path),))
        return
    for top, inner, names in os.walk(path):
        inner[:] = [name for name in inner if f"{top}/{name}" not in closed]
        yield from _known(f"{top}/{name}" for name in names)


def _known(paths: Iterable[str]) -> Iterator[Known]:
    for path in paths:
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            yield found.st_dev, found.st_ino
