"""Looking at a file before a write, and at what the write displaced."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from vademecum.core.changes import Change, Signature
from vademecum.core.errors import ChangedMeanwhile
from vademecum.core.ids import digest_of
from vademecum.core.provenance import Actor
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.conflicts import keep_version
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.reading import Content, content_of, read_all, settled
from vademecum.workspace.records import Records
from vademecum.workspace.saved_over import SavedOver

ATTEMPTS = 25
PAUSE = 0.002
"""Seconds; some programs move a file away for a moment before they save it anew."""
UNMERGED = "saved by another program while this file was being written"


class Displaced:
    """What stands at a place and what was displaced from it; the caller holds its lock."""

    def __init__(self, root: Root, records: Records, saved_over: SavedOver) -> None:
        self._root = root
        self._records = records
        self._saved_over = saved_over

    @contextmanager
    def current(self, place: Place, signature: Signature) -> Iterator[tuple[int, Content] | None]:
        """Open the file for the block, with what it holds; None when it stays away."""
        descriptor = self._open_soon(place)
        if descriptor is None:
            yield None
            return
        try:
            with translated(place.path, "read"):
                settled(descriptor)
                found = content_of(descriptor, place.path)
            self._saved_over.keep(place.path, found.data, signature)
            yield descriptor, found
        finally:
            os.close(descriptor)

    def look(self, place: Place, intent: Intent) -> tuple[bool, bytes | None]:
        """Return what the write displaced (None: nothing), and whether nobody can change it now."""
        try:
            descriptor = self._root.open_file(
                Place(place.folder, intent.temporary, place.path), os.O_RDONLY
            )
        except FileNotFoundError:
            return True, None
        try:
            with translated(place.path, "read"):
                return settled(descriptor), read_all(descriptor)
        finally:
            os.close(descriptor)

    def present(self, place: Place) -> bytes:
        """Return what the file holds, nothing where there is none."""
        try:
            descriptor = self._root.open_file(place, os.O_RDONLY)
        except FileNotFoundError:
            return b""
        try:
            with translated(place.path, "read"):
                return read_all(descriptor)
        finally:
            os.close(descriptor)

    def exists(self, place: Place) -> bool:
        """Whether there is anything at the place."""
        try:
            os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def version(self, place: Place, digest: str) -> bytes:
        """Return a version of ours: the file has it, or the blob store when others wrote since."""
        found = self.present(place)
        return found if digest_of(found) == digest else self._records.blobs.get(digest)

    def keep(self, path: str, content: bytes, signature: Signature, why: str) -> str:
        """Keep a version as a conflict record; return the record's path."""
        return keep_version(self._root, self._records, path, content, signature, f"{path}: {why}")

    def _open_soon(self, place: Place) -> int | None:
        for _ in range(ATTEMPTS):
            try:
                return self._root.open_file(place, os.O_RDONLY)
            except FileNotFoundError:
                time.sleep(PAUSE)
        return None


def signature_of(change: Change) -> Signature:
    """Return who made `change`, to sign what follows from it."""
    return Signature(change.id, change.at, Actor(change.actor, change.session), change.verb)


def changed(path: str, outcome: str) -> ChangedMeanwhile:
    """Return the refusal of a write whose base moved, saying what became of it."""
    return ChangedMeanwhile(
        f"{path} was changed by somebody else meanwhile: {outcome}.",
        hint="Read it again and repeat the edit from what it says now.",
    )
