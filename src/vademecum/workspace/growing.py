"""Appending to a file, and making one: the two writes that displace nothing."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from dataclasses import replace

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import StorageFailed
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.reading import Content, check_writable, content_of, read_all, settled
from vademecum.workspace.records import Records, planned
from vademecum.workspace.saved_over import SavedOver
from vademecum.workspace.tail import APPENDING, add, repaired
from vademecum.workspace.temporary import draft

_PATIENCE = 10.0
"""Seconds for which a file is appended to anew that another program keeps replacing."""


@dataclass(frozen=True, slots=True)
class Appended:
    """An append that is durable."""

    change: Change
    first: int
    """Number of the first line of what was added that is not empty, from 1."""
    last: int


class Growing:
    """Appends and creations beneath one root; the caller holds the lock of the file."""

    def __init__(self, root: Root, records: Records, saved_over: SavedOver) -> None:
        self._root = root
        self._records = records
        self._saved_over = saved_over

    def append(self, place: Place, data: bytes, header: bytes, signature: Signature) -> Appended:
        """Add `data` at the end of the file at `place`; a new file begins with `header`.

        When another program replaces or saves over the file meanwhile, `data` is added to what it
        left, once.
        """
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            appended = self._attempt(place, data, header, signature)
            if appended is not None:
                return appended
        raise StorageFailed(
            f"Could not append to {place.path}: another program kept replacing it.",
            hint="Close the program that is saving it over and over, then repeat the call.",
        )

    def create(
        self, place: Place, data: bytes, signature: Signature, mode: int | None = None
    ) -> Change | None:
        """Make the file with content `data`, or return None when there already is one."""
        change = planned(signature, Effect.CREATE, place.path, "", digest_of(data))
        # Whoever asks later what another program changed needs to know what was made.
        self._records.blobs.put(data, durable=False)
        return change if self._make(place, data, change, mode) else None

    def resume(self, place: Place, intent: Intent) -> None:
        """Finish an append or a creation of a process that died."""
        change = intent.change
        data = self._current(place)
        if change.effect is Effect.CREATE:
            landed = bool(data) and digest_of(data) == change.after
        else:
            landed = digest_of(_added(data, change)) == change.added
        if not landed:
            self._cut_torn(place, data, change)
            self._records.journal.end(intent)
            return
        with self._open(place, os.O_RDONLY) as opened, translated(place.path, "write"):
            os.fsync(opened.descriptor)
            os.fsync(place.folder)
        done = replace(change, after=digest_of(data))
        self._records.complete(intent, done, resumed=True)

    # ------------------------------------------------------------ append

    def _attempt(
        self, place: Place, data: bytes, header: bytes, signature: Signature
    ) -> Appended | None:
        try:
            reading = self._open(place, os.O_RDONLY)
        except FileNotFoundError:
            return self._append_to_new(place, data, header, signature)
        with reading, translated(place.path, "append to"):
            settled(reading.descriptor)
            before = content_of(reading.descriptor, place.path)
            check_writable(before)
            self._saved_over.keep(place.path, before.data, signature)
            try:
                writing = self._open(place, APPENDING)
            except FileNotFoundError:
                return None
            with writing:
                if not os.path.samestat(os.fstat(reading.descriptor), os.fstat(writing.descriptor)):
                    return None
                payload = repaired(writing.descriptor, data)
                intent = self._intent(place, before, payload, signature)
                offset = self._add(writing.descriptor, payload, intent)
            change = replace(intent.change, offset=offset)
            intent = replace(intent, change=change)
            return self._verified(place, reading, before.data, intent, signature)

    def _append_to_new(
        self, place: Place, data: bytes, header: bytes, signature: Signature
    ) -> Appended | None:
        content = header + data
        change = planned(signature, Effect.APPEND, place.path, "", digest_of(content))
        self._records.blobs.put(data, durable=False)
        change = replace(change, offset=len(header), length=len(data), added=digest_of(data))
        if not self._make(place, content, change):
            return None
        return _appended(change, content)

    def _intent(
        self, place: Place, before: Content, payload: bytes, signature: Signature
    ) -> Intent:
        after = digest_of(before.data + payload)
        change = planned(signature, Effect.APPEND, place.path, before.digest, after)
        # The file itself is what makes these bytes durable; the copy is for what may follow.
        added = self._records.blobs.put(payload, durable=False)
        change = replace(change, offset=len(before.data), length=len(payload), added=added)
        return Intent(change)

    def _add(self, descriptor: int, payload: bytes, intent: Intent) -> int:
        self._records.journal.begin(intent, durable=False)
        try:
            return add(descriptor, payload)
        except OSError:
            self._records.journal.end(intent)
            raise

    def _verified(
        self,
        place: Place,
        reading: _Opened,
        before: bytes,
        intent: Intent,
        signature: Signature,
    ) -> Appended | None:
        """Return the append once `place` shows it, or None when it has to be made again."""
        settled(reading.descriptor)
        data = read_all(reading.descriptor)
        change = intent.change
        there = self._still_there(place, reading.descriptor)
        if not there or digest_of(_added(data, change)) != change.added:
            data = self._current(place)
            text = self._records.blobs.get(change.added).strip(b"\r\n")
            if data.count(text) <= before.count(text):
                self._records.journal.end(intent)
                return None
            # The program that replaced the file had read the addition and kept it.
            change = replace(change, offset=data.rfind(text), length=len(text))
            self._saved_over.keep(place.path, data, signature)
        change = replace(change, after=digest_of(data))
        self._records.complete(intent, change)
        return _appended(change, data)

    def _current(self, place: Place) -> bytes:
        try:
            with self._open(place, os.O_RDONLY) as opened:
                return read_all(opened.descriptor)
        except FileNotFoundError:
            return b""

    def _still_there(self, place: Place, descriptor: int) -> bool:
        try:
            found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(descriptor))

    def _cut_torn(self, place: Place, data: bytes, change: Change) -> None:
        """Cut off the part of an addition that a killed process wrote, if that is all there is."""
        rest = data[change.offset :]
        if change.effect is not Effect.APPEND or not rest or len(rest) >= change.length:
            return
        if digest_of(data[: change.offset]) != change.before:
            return
        if not self._records.blobs.has(change.added):
            return
        if self._records.blobs.get(change.added).startswith(rest):
            with self._open(place, os.O_RDWR) as opened, translated(place.path, "write"):
                os.ftruncate(opened.descriptor, change.offset)
                os.fsync(opened.descriptor)

    # ------------------------------------------------------------ create

    def _make(self, place: Place, content: bytes, change: Change, mode: int | None = None) -> bool:
        """Make the file whole and durable and record it; False when there already is one."""
        self._root.check_new(place)
        intent = Intent(change)
        with translated(place.path, "create"), draft(place, content) as made:
            if mode is not None:
                os.fchmod(made.descriptor, mode)
            self._records.journal.begin(intent, durable=False)
            try:
                made.publish(place.name)
            except FileExistsError:
                self._records.journal.end(intent)
                return False
            except OSError:
                self._records.journal.end(intent)
                raise
            os.fsync(place.folder)
        self._records.complete(intent, change)
        return True

    def _open(self, place: Place, flags: int) -> _Opened:
        return _Opened(self._root.open_file(place, flags))


class _Opened(ExitStack):
    """A descriptor that its block closes."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor
        self.callback(os.close, descriptor)


def _added(data: bytes, change: Change) -> bytes:
    return data[change.offset : change.offset + change.length]


def _appended(change: Change, data: bytes) -> Appended:
    added = _added(data, change)
    leading = len(added) - len(added.lstrip(b"\r\n"))
    first = data.count(b"\n", 0, change.offset + leading) + 1
    last = first + added.strip(b"\r\n").count(b"\n")
    return Appended(change, first, last)
