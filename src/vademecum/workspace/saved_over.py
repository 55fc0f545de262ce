"""Writes of ours that another program saved over: noticed, and kept as conflict records."""

from __future__ import annotations

from vademecum.core.changes import Change, Signature
from vademecum.core.ids import digest_of
from vademecum.core.provenance import Actor
from vademecum.workspace.beneath import Root
from vademecum.workspace.conflicts import keep_version
from vademecum.workspace.records import Records
from vademecum.workspace.trail import Overwritten

_WHY = "written here and no longer in the file, which another program saved over"


class SavedOver:
    """Looks at what others made of a file before anything is built on it."""

    def __init__(self, root: Root, records: Records) -> None:
        self._root = root
        self._records = records

    def keep(self, path: str, content: bytes, signature: Signature) -> list[str]:
        """Keep each write of ours that `content`, found at `path`, lacks; return the records.

        Each is kept once. The caller holds the lock of the file.
        """
        lost = self._records.trail.overwritten(path, content, digest_of(content))
        if not lost:
            return []
        if self._on_another_branch(path, content, lost):
            self._records.trail.forget(path, frozenset(version.change.id for version in lost))
            return []
        kept: list[str] = []
        versions: list[bytes] = []
        for version in reversed(lost):
            if any(version.added <= set(other.splitlines()) for other in versions):
                continue  # a later version has its lines
            versions.append(version.content)
            signed = _by_its_author(signature, version.change)
            why = f"{path}: {_WHY}"
            kept.append(keep_version(self._root, self._records, path, version.content, signed, why))
        self._records.trail.forget(path, frozenset(version.change.id for version in lost))
        return kept

    def _on_another_branch(self, path: str, content: bytes, lost: tuple[Overwritten, ...]) -> bool:
        """Whether a checkout took them out: the file is as HEAD has it, other commits have them.

        What no commit has is kept aside, also where somebody threw it away with Git.
        """
        from vademecum.workspace.git.elsewhere import (  # noqa: PLC0415  only where a write is lost
            checked_out,
        )

        missing = [version.added for version in lost]
        for other in checked_out(self._root.directory, path, content):
            lines = set(other.splitlines())
            missing = [added for added in missing if not added <= lines]
            if not missing:
                return True
        return False


def _by_its_author(signature: Signature, change: Change) -> Signature:
    """Return `signature` with the author of the kept version, who is not the one who noticed."""
    return Signature(change.id, signature.at, Actor(change.actor, change.session), signature.verb)
