"""Writes of ours that another program saved over: noticed, and kept as conflict records."""

from __future__ import annotations

from vademecum.core.changes import Change, Signature
from vademecum.core.ids import digest_of
from vademecum.core.provenance import Actor
from vademecum.workspace.beneath import Root
from vademecum.workspace.conflicts import keep_version
from vademecum.workspace.records import Records

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


def _by_its_author(signature: Signature, change: Change) -> Signature:
    """Return `signature` with the author of the kept version, who is not the one who noticed."""
    return Signature(change.id, signature.at, Actor(change.actor, change.session), signature.verb)
