"""What a session has loaded: stamps of the injected files, so that a resume can name changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.core.ids import text_digest
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, write_whole

if TYPE_CHECKING:
    from vademecum.workspace.workspace import Workspace

_FOLDER = "sessions"


def remember_loaded(workspace: Workspace, session: str, paths: Iterable[str]) -> None:
    """Keep what the files `paths` are like now, as loaded by `session`.

    Raises StateUnwritable, DiskFull.
    """
    stamps = {path: _stamp(workspace.root / path) for path in paths}
    marker = _marker(workspace, session)
    with state_translated(marker):
        make_folders(marker.parent)
        write_whole(marker, json.dumps(stamps, ensure_ascii=False).encode(), durable=False)


def changed_since(workspace: Workspace, session: str) -> tuple[tuple[str, ...], Sequence[str]]:
    """Return which loaded files are not what they were, and all that were loaded.

    Nothing where the session loaded nothing, or where what it loaded cannot be read.
    """
    try:
        stamps = json.loads(_marker(workspace, session).read_bytes())
        items = [(str(path), stamp) for path, stamp in stamps.items()]
    except (OSError, ValueError, AttributeError):
        return (), ()
    changed = tuple(path for path, stamp in items if _stamp(workspace.root / path) != stamp)
    return changed, [path for path, _ in items]


def _marker(workspace: Workspace, session: str) -> Path:
    return workspace.state / _FOLDER / f"{text_digest(session)}.json"


def _stamp(path: Path) -> list[int]:
    """Return size and time of the last change; nothing for a file that is not there."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return []
    return [found.st_size, found.st_mtime_ns]
