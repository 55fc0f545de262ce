"""A workspace as it would be: what a dry run shows is read by its next step, and never written."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.ids import digest_of
from vademecum.core.ports import FileStamp
from vademecum.workspace.files import Content, Files
from vademecum.workspace.workspace import Workspace

_MODE = 0o644


class Rehearsed(Files):
    """Files of which some are read as they would be once a dry run was carried out."""

    def __init__(self, files: Files) -> None:
        self.__dict__.update(files.__dict__)
        self._would_be: dict[str, Content] = {}

    def put(self, path: str, text: str) -> None:
        """Let the file at `path` be read as `text`."""
        data = text.encode()
        stamp = FileStamp(len(data), 0, 0, 0)
        self._would_be[path] = Content(path, data, digest_of(data), stamp, _MODE)

    def read(self, path: str) -> Content:
        """Return the file as it would be."""
        return self._would_be.get(path) or super().read(path)

    def exists(self, path: str) -> bool:
        """Whether there would be anything at `path`."""
        return path in self._would_be or super().exists(path)


def rehearsing(workspace: Workspace) -> tuple[Workspace, Rehearsed]:
    """Return the workspace for a dry run of several steps, and the files that it reads."""
    files = Rehearsed(workspace.files)
    copy = replace(workspace)
    copy.__dict__["files"] = files  # where the property keeps what it opened
    return copy, files
