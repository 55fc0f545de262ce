"""Where a memory ends: workspaces inside its directory, and notes that nobody granted."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from vademecum.core.errors import InvalidPath, NoteNotFound
from vademecum.workspace.config import FILE as CONFIGURATION
from vademecum.workspace.paths import checked, key_of

if TYPE_CHECKING:
    from vademecum.core.ports import FileStamp

Others: TypeAlias = Callable[[], Collection[Path]]
"""Gives the real paths of all workspaces of other agents, as they are at the moment."""
Choice: TypeAlias = "Callable[[Mapping[str, FileStamp]], Mapping[str, FileStamp]]"
"""Gives those of some notes that may be read."""


def nobody() -> Collection[Path]:
    """Return no workspace: there are no other agents."""
    return ()


class Bounds:
    """What may be opened beneath the root of one workspace; asked at each access.

    A folder that holds a vade.toml, or that is registered as the workspace of another agent, is
    another memory with everything in it. `choice` narrows it down further to some of the notes.
    """

    def __init__(self, root: Path, others: Others = nobody, choice: Choice | None = None) -> None:
        self._root = root
        self._others = others
        self.choice = choice

    def narrowed(self, choice: Choice) -> Bounds:
        """Return the same bounds around only those notes."""
        return Bounds(self._root, self._others, choice)

    def others(self) -> Collection[Path]:
        """Return the real paths of the workspaces of all other agents, as they are now."""
        return self._others()

    def folders(self) -> frozenset[str]:
        """Return the folders (relative, folded as `key_of` does) that belong to other agents."""
        above = str(self._root).rstrip("/") + "/"  # as texts: this is asked at each access
        places = map(str, self._others())
        return frozenset(key_of(at[len(above) :]) for at in places if at.startswith(above))

    def check(self, root: int, path: str) -> None:
        """Let `path`, checked and relative to the open directory `root`, be opened.

        Raises InvalidPath for what lies in another workspace, whether or not it is there.
        """
        folder = path.rpartition("/")[0]
        if not folder:
            return
        closed = self.folders()
        parts = folder.split("/")
        for depth in range(1, len(parts) + 1):
            prefix = "/".join(parts[:depth])
            if key_of(prefix) in closed or _holds_workspace(root, prefix):
                raise InvalidPath(
                    f"{path} lies in {prefix}, which is a workspace of its own.",
                    hint="Name that workspace with --workspace, or its agent with --agent.",
                )

    def closes(self, folder: str) -> bool:
        """Whether a folder (relative) is the top of another workspace."""
        return (self._root / folder / CONFIGURATION).exists() or key_of(folder) in self.folders()

    def holds(self, path: str) -> bool:
        """Whether `path` names a file of this memory, whether or not it is there."""
        try:
            parts = checked(path).split("/")
            self.check_choice(path)
        except (InvalidPath, NoteNotFound):
            return False
        folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
        return not any(self.closes(folder) for folder in folders)

    def check_choice(self, path: str) -> None:
        """Raise NoteNotFound unless the note at `path` is one of those that may be read.

        The sentence is that of a note which is not there.
        """
        if self.choice is None:
            return
        found = stamp_of(self._root, path)
        if found is None or path not in self.choice({path: found}):
            raise NoteNotFound(f"There is no file {path}.", hint="List what there is: vade status.")


def stamp_of(root: Path, path: str) -> FileStamp | None:
    """Return what a stat says of one note, None where there is no such regular file."""
    from vademecum.core.ports import FileStamp  # noqa: PLC0415  a hook loads no ports

    try:
        found = (root / path).lstat()
    except (OSError, ValueError):  # ValueError: a NUL byte in the name
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _holds_workspace(root: int, folder: str) -> bool:
    try:
        os.stat(f"{folder}/{CONFIGURATION}", dir_fd=root, follow_symlinks=False)
    except OSError:
        return False
    return True
