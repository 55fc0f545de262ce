"""Which files were written through the ledger since somebody last looked."""

from __future__ import annotations

from vademecum.workspace.workspace import Workspace


class Recent:
    """The paths that this and other processes changed since the last call of `paths`.

    An index that is brought up to date with them, under the lock of `remember`, knows every claim
    that was remembered before; a scan of the whole workspace is not needed for that.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._offset = 0
        self.paths()

    def paths(self) -> tuple[str, ...]:
        """Return the paths that were written since the last call, each once."""
        changes, self._offset = self._workspace.ledger.since(self._offset)
        return tuple(dict.fromkeys(change.path for change in changes))
