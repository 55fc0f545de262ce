"""Every note read from the files themselves, for what no index can say."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.errors import VademecumError
from vademecum.markdown.lines import decode
from vademecum.workspace.workspace import Workspace


def texts(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield path and text of every note on disk, by path, but for those that cannot be read."""
    for path in sorted(workspace.scan().files):
        try:
            yield path, decode(workspace.files.read(path).data).text
        except VademecumError:
            continue


def titles(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield path and title of every note on disk that can be read, by path."""
    from vademecum.markdown.parse import parse_note  # noqa: PLC0415  texts alone go without

    for path, text in texts(workspace):
        yield path, parse_note(path, text, workspace.role_of(path)).title
