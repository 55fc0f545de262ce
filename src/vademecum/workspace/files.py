"""Files of a workspace: read, append, create, replace, remove; nothing acknowledged is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import LockTimeout, NoteNotFound, Sealed
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.bounds import Bounds
from vademecum.workspace.conflicts import keep_version
from vademecum.workspace.creating import Creating, New
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.displaced import Displaced
from vademecum.workspace.growing import Appended, Growing
from vademecum.workspace.journal import Intent
from vademecum.workspace.locks import PATIENCE, lock_of, locked
from vademecum.workspace.reading import Content, content_of, settled
from vademecum.workspace.records import Records, open_records
from vademecum.workspace.removing import Removing
from vademecum.workspace.replacing import Replaced, Replacing
from vademecum.workspace.saved_over import SavedOver

__all__ = ["Appended", "Content", "Files", "New", "Replaced"]

_GLANCE = 0.1
"""Seconds that a reader waits for a program that is saving the file."""


class Files:
    """The files beneath one root, written so that no acknowledged byte is lost.

    Every write takes the lock of its file, finishes what a process that died left of it, is
    durable and has its line in the ledger when it returns. Any number of processes, threads and
    programs that know nothing of this may write the same files meanwhile.

    Writes raise InvalidPath, ReadOnly, DiskFull, StorageFailed, StateUnwritable, LockTimeout.
    """

    def __init__(
        self, root: Path, records: Records, locks: Path, bounds: Bounds | None = None
    ) -> None:
        self.root = Root(root, bounds=bounds)
        self.records = records
        self._locks = locks
        self._saved_over = SavedOver(self.root, records)
        self._growing = Growing(self.root, records, self._saved_over)
        self._creating = Creating(self.root, records, locks)
        displaced = Displaced(self.root, records, self._saved_over)
        self._replacing = Replacing(self.root, records, self._saved_over, displaced)
        self._removing = Removing(records, displaced)

    def read(self, path: str) -> Content:
        """Return the whole file. Raises NoteNotFound, InvalidPath, Unreadable.

        A program that is in the middle of saving it is given a moment to end.
        """
        with self.root.place(path) as place, translated(place.path, "read"):
            descriptor = self.root.open_file(place, os.O_RDONLY)
            try:
                settled(descriptor, _GLANCE)
                return content_of(descriptor, place.path)
            finally:
                os.close(descriptor)

    def exists(self, path: str) -> bool:
        """Whether there is anything at `path`: a file, a folder, a link. Raises InvalidPath."""
        try:
            with self.root.place(path) as place:
                os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except (FileNotFoundError, NoteNotFound):
            return False
        return True

    def append(
        self, path: str, data: bytes, signature: Signature, *, header: bytes = b""
    ) -> Appended:
        """Add `data` at the end of the file, on a line of its own.

        A file that does not exist is made and begins with `header`. Nothing that is in the file,
        or that others add meanwhile, is changed.
        """
        with self._writing(path) as place:
            return self._growing.append(place, data, header, signature)

    def create(
        self, path: str, data: bytes, signature: Signature, *, mode: int | None = None
    ) -> Change | None:
        """Make the file; return None, and change nothing, when there already is one.

        It has the permission bits `mode`, without it what the system gives a new file.
        """
        with self._writing(path) as place:
            return self._growing.create(place, data, signature, mode)

    def create_all(self, new: Sequence[New]) -> tuple[Change | None, ...]:
        """Make many files, in the time of a few; None for each that could not be: it is there.

        At most `creating.BATCH`. A kill leaves some of them made, each whole and with its line in
        the ledger.
        """
        if {intent.change.path for intent in self.records.journal.pending()}:
            self.recover()
        return self._creating.create(
            new, lambda one: self.create(one.path, one.data, one.signature)
        )

    def replace(
        self, base: Content, data: bytes, signature: Signature, *, aside: bool = True
    ) -> Replaced:
        """Put `data`, which was made from `base`, in place of the file `base` was read from.

        What others changed since is merged line by line. Raises ChangedMeanwhile when both changed
        the same line: the file is then as they left it and `data` is in a conflict record. Without
        `aside` it is not: for those who make it anew from what the file says then.
        """
        with self._writing(base.path, create=False) as place:
            return self._replacing.replace(place, base, data, signature, aside=aside)

    def remove(self, base: Content, signature: Signature) -> Change:
        """Remove the file if it is still what `base` says; its bytes stay in the blob store.

        Raises ChangedMeanwhile, NoteNotFound.
        """
        with self._writing(base.path, create=False) as place:
            return self._removing.remove(place, base, signature)

    def keep_aside(self, path: str, data: bytes, signature: Signature, why: str) -> str:
        """Keep `data`, a version of `path` that cannot be written there, as a conflict record.

        Returns the path of the record; `why` goes to the ledger.
        """
        return keep_version(self.root, self.records, path, data, signature, f"{path}: {why}")

    def recover(self) -> tuple[str, ...]:
        """Finish the writes of processes that died; return the paths of their files.

        A write that is under way in another process is left to it. Cheap when there is nothing.
        """
        finished = []
        for path in sorted({intent.change.path for intent in self.records.journal.pending()}):
            try:
                with locked(lock_of(self._locks, path), timeout=0.0):
                    self._finish_pending(path)
            except LockTimeout:
                continue
            finished.append(path)
        return tuple(finished)

    def reconcile(self, signature: Signature, paths: tuple[str, ...] | None = None) -> list[str]:
        """Look whether other programs saved over writes of ours; return the conflict records.

        Looks at `paths`, or at every file that was ever written here. Every write does the same
        for its own file first.
        """
        records: list[str] = []
        for path in self.records.trail.paths() if paths is None else paths:
            try:
                with locked(lock_of(self._locks, path)):
                    records += self._saved_over.keep(path, self.read(path).data, signature)
            except NoteNotFound:
                continue
        return records

    # ------------------------------------------------------------ before each write

    @contextmanager
    def _writing(self, path: str, *, create: bool = True) -> Iterator[Place]:
        if self.root.bounds.choice is not None:
            raise Sealed("The memory of another agent is only ever read.")
        with locked(lock_of(self._locks, path), PATIENCE):
            self._finish_pending(path)
            with self.root.place(path, create=create) as place:
                yield place

    def _finish_pending(self, path: str) -> None:
        for intent in self.records.journal.pending():
            if intent.change.path == path:
                self._resume(intent)

    def _resume(self, intent: Intent) -> None:
        try:
            with self.root.place(intent.change.path) as place:
                if intent.change.effect in (Effect.APPEND, Effect.CREATE):
                    self._growing.resume(place, intent)
                elif intent.change.effect is Effect.REMOVE:
                    self._removing.finish(place, intent, resumed=True)
                else:
                    self._replacing.resume(place, intent)
        except NoteNotFound:
            self.records.journal.end(intent)


def open_files(root: Path, state: Path, bounds: Bounds | None = None) -> Files:
    """Return the files beneath `root`, with records and locks in the state directory `state`."""
    return Files(root, open_records(state), state / "locks", bounds)
