"""Path and title of every note, read from the files themselves."""

from __future__ import annotations

from vademecum.core.errors import VademecumError
from vademecum.markdown.lines import decode
from vademecum.markdown.parse import parse_note
from vademecum.workspace.workspace import Workspace


def titles(workspace: Workspace) -> list[tuple[str, str]]:
    """Return path and title of every note on disk; one that cannot be read has its name only."""
    return [(path, _title(workspace, path)) for path in sorted(workspace.scan().files)]


def _title(workspace: Workspace, path: str) -> str:
    try:
        text = decode(workspace.files.read(path).data).text
    except VademecumError:
        return ""
    return parse_note(path, text, workspace.role_of(path)).title
