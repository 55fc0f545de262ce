"""Creating many files at once: as safe as one by one, with one wait for the disk a batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import field
from pathlib import Path

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import InvalidPath
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.locks import PATIENCE, lock_of, locked
from vademecum.workspace.paths import key_of, portable
from vademecum.workspace.records import Records, planned
from vademecum.workspace.whole import name_it, open_nameless, write_all

BATCH = 200
"""Files of one batch; each is open until the batch is on the disk."""


@dataclass(frozen=True, slots=True)
class New:
    """A file that is to be made."""

    path: str
    data: bytes
    signature: Signature


@dataclass(slots=True)
class _Folder:
    place: Place
    keys: dict[str, str]
    """Names that the folder holds, by what two spellings of one name share."""


@dataclass(slots=True)
class _Batch:
    stack: ExitStack
    folders: dict[str, _Folder] = field(default_factory=dict)
    made: list[tuple[int, _Folder, Intent, str]] = field(default_factory=list)


class Creating:
    """Creations beneath one root.

    Other writers hold the lock of one file at a time, so whoever takes those of a batch in order
    waits for nobody who waits for it.
    """

    def __init__(self, root: Root, records: Records, locks: Path) -> None:
        self._root = root
        self._records = records
        self._locks = locks

    def create(
        self, new: Sequence[New], one_by_one: Callable[[New], Change | None]
    ) -> tuple[Change | None, ...]:
        """Make the files, at most `BATCH`; return None for each that could not be: it is there.

        Where the system has no files without a name, `one_by_one` makes them.
        """
        if not self._has_nameless():
            return tuple(one_by_one(each) for each in new)
        with self._locked(new), ExitStack() as stack:
            batch = _Batch(stack)
            changes = [self._write(batch, each) for each in new]
            with translated("the new files", "write"):
                for descriptor, *_ in batch.made:
                    os.fsync(descriptor)
            published = {change.id for change in self._publish(batch)}
        return tuple(change if change and change.id in published else None for change in changes)

    @contextmanager
    def _locked(self, new: Sequence[New]) -> Iterator[None]:
        sides = sorted({lock_of(self._locks, each.path) for each in new})
        with ExitStack() as stack:
            for side in sides:
                stack.enter_context(locked(side, PATIENCE))
            yield

    def _has_nameless(self) -> bool:
        folder = os.open(self._root.directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            descriptor = open_nameless(folder, 0o666)
        finally:
            os.close(folder)
        if descriptor is not None:
            os.close(descriptor)
        return descriptor is not None

    def _write(self, batch: _Batch, new: New) -> Change | None:
        """Write one file that has no name yet; None where there is one of its name."""
        path = portable(new.path)
        folder = self._folder(batch, path)
        name = path.rpartition("/")[2]
        held = folder.keys.setdefault(key_of(name), name)
        if held != name:
            raise InvalidPath(
                f"{path} cannot be made: its folder holds {held}, "
                "which is the same name on some systems.",
                hint=f"Use {held}, or choose a name that differs in more than case or accents.",
            )
        with translated(path, "create"):
            descriptor = open_nameless(folder.place.folder, 0o666)
            if descriptor is None:
                return None
            batch.stack.callback(os.close, descriptor)
            write_all(descriptor, new.data)
        # Whoever asks later what another program changed needs to know what was made.
        self._records.blobs.put(new.data, durable=False)
        change = planned(new.signature, Effect.CREATE, path, "", digest_of(new.data))
        batch.made.append((descriptor, folder, Intent(change), name))
        return change

    def _folder(self, batch: _Batch, path: str) -> _Folder:
        above = path.rpartition("/")[0]
        if above not in batch.folders:
            place = batch.stack.enter_context(self._root.place(path, create=True))
            with translated(path, "look beside"):
                names = os.listdir(place.folder)  # noqa: PTH208  a descriptor has no Path
            batch.folders[above] = _Folder(place, {key_of(name): name for name in names})
        return batch.folders[above]

    def _publish(self, batch: _Batch) -> list[Change]:
        """Give the files their names, record them, and forget that they were begun."""
        done: list[Intent] = []
        for descriptor, folder, intent, name in batch.made:
            with translated(intent.change.path, "create"):
                self._records.journal.begin(intent, durable=False)
                try:
                    name_it(descriptor, name, folder.place.folder)
                except FileExistsError:
                    self._records.journal.end(intent)
                    continue
            done.append(intent)
        with translated("the folders of the new files", "write"):
            for folder in batch.folders.values():
                os.fsync(folder.place.folder)
        self._records.complete_all(done)
        return [intent.change for intent in done]
