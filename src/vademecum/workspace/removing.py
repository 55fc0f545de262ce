"""Removing a file: move it aside, look whether it is the one that was meant, let it go."""

from __future__ import annotations

import os

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import NoteNotFound
from vademecum.core.ids import digest_of
from vademecum.workspace.beneath import Place
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.displaced import UNMERGED, Displaced, changed, signature_of
from vademecum.workspace.journal import Intent
from vademecum.workspace.reading import Content, check_writable
from vademecum.workspace.records import Records, planned
from vademecum.workspace.temporary import discard, new_name, publish_again


class Removing:
    """Removals beneath one root; the caller holds the lock of the file."""

    def __init__(self, records: Records, displaced: Displaced) -> None:
        self._records = records
        self._displaced = displaced

    def remove(self, place: Place, base: Content, signature: Signature) -> Change:
        """Remove the file if it is still `base`. Raises ChangedMeanwhile when it is not."""
        with self._displaced.current(place, signature) as opened:
            if opened is None:
                raise NoteNotFound(f"There is no file {place.path} any more.")
            current = opened[1]
            if current.digest != base.digest:
                raise changed(place.path, "it was left as it is")
            check_writable(current)
            self._records.blobs.put(current.data)
        change = planned(signature, Effect.REMOVE, place.path, current.digest, "")
        intent = Intent(change, current.digest, new_name())
        self._records.journal.begin(intent, durable=True)
        self._move_aside(place, intent)
        if not self.finish(place, intent):
            raise changed(place.path, "it was left as it is")
        return change

    def finish(self, place: Place, intent: Intent, *, resumed: bool = False) -> bool:
        """Complete a removal that was begun; return whether the file is gone.

        A file that was not the one meant is put back.
        """
        _, removed = self._displaced.look(place, intent)
        if removed is None and self._displaced.exists(place):
            self._records.journal.end(intent)
            return False
        if removed is not None and digest_of(removed) != intent.expected:
            self._put_back(place, intent, removed)
            return False
        with translated(place.path, "remove"):
            os.fsync(place.folder)
            discard(place, intent.temporary)
        self._records.complete(intent, intent.change, resumed=resumed)
        return True

    def _move_aside(self, place: Place, intent: Intent) -> None:
        with translated(place.path, "remove"):
            try:
                os.rename(
                    place.name,
                    intent.temporary,
                    src_dir_fd=place.folder,
                    dst_dir_fd=place.folder,
                )
            except OSError:
                self._records.journal.end(intent)
                raise

    def _put_back(self, place: Place, intent: Intent, content: bytes) -> None:
        with translated(place.path, "put back"):
            try:
                publish_again(place, intent.temporary)
            except FileExistsError:
                signature = signature_of(intent.change)
                self._displaced.keep(place.path, content, signature, UNMERGED)
            discard(place, intent.temporary)
            os.fsync(place.folder)
        self._records.journal.end(intent)
