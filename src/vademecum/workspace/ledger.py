"""The ledger: one line of JSON for every change that was made to a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from vademecum.core.changes import Change, Effect, Usage
from vademecum.core.errors import LedgerEntryNotFound
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import locked
from vademecum.workspace.tail import APPENDING, add, repaired
from vademecum.workspace.whole import make_folders, sync_folder

_FLAGS = APPENDING | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NOCTTY


class Ledger:
    """An append-only file of changes, oldest first; several processes may record at once.

    A line that was torn by a loss of power, or damaged later, is passed over by readers and never
    joined with the next one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = path.parent / "locks" / "ledger.lock"

    def record(self, change: Change) -> None:
        """Append `change` and return once it is durable. Raises StateUnwritable, DiskFull."""
        self.record_all([change])

    def record_all(self, changes: Sequence[Change]) -> None:
        """Append `changes`, in order, and return once all are durable. Raises as `record` does."""
        if not changes:
            return
        line = b"".join(map(encode, changes))
        with locked(self._lock), state_translated(self.path):
            descriptor, made = self._open()
            try:
                add(descriptor, repaired(descriptor, line))
            finally:
                os.close(descriptor)
            if made:
                sync_folder(self.path.parent)

    def changes(
        self,
        *,
        path: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        verb: str | None = None,
        id: str | None = None,
        group: str | None = None,
    ) -> Iterator[Change]:
        """Yield the changes whose fields equal all that is given, oldest first."""
        wanted = {
            "path": path,
            "actor": actor,
            "session": session,
            "verb": verb,
            "id": id,
            "group": group,
        }
        exact = {key: value for key, value in wanted.items() if value is not None}
        # A half character, which arguments may hold, is in no line.
        needles = [
            json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
            for value in exact.values()
        ]
        for line in self._lines():
            if any(needle not in line for needle in needles):
                continue  # parsing is what costs
            change = decode(line)
            if change and all(getattr(change, key) == value for key, value in exact.items()):
                yield change

    def change(self, id: str) -> Change:
        """Return the change with that id. Raises LedgerEntryNotFound."""
        for found in self.changes(id=id):
            return found
        raise LedgerEntryNotFound(
            f"No write with the id {id!r} is in the ledger.",
            hint="List the writes and their ids: vade history.",
        )

    def last(self, path: str) -> Change | None:
        """Return the newest change of the file at `path`, or None."""
        found = None
        for change in self.changes(path=path):
            found = change
        return found

    def size(self) -> int:
        """Return how many bytes it has, where `since` would go on."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def since(self, offset: int) -> tuple[tuple[Change, ...], int]:
        """Return the changes recorded behind byte `offset`, and where to go on from next time.

        A ledger that is shorter is another one than before, and read from its beginning.
        """
        try:
            with self.path.open("rb") as file:
                if file.seek(0, os.SEEK_END) < offset:
                    offset = 0
                file.seek(offset)
                data = file.read()
        except FileNotFoundError:
            return (), 0
        whole = data[: data.rfind(b"\n") + 1]
        found = (decode(line) for line in whole.splitlines())
        return tuple(change for change in found if change is not None), offset + len(whole)

    def defects(self) -> tuple[int, ...]:
        """Return the numbers of the lines that cannot be read, from 1."""
        return tuple(
            number
            for number, line in enumerate(self._lines(), start=1)
            if line.strip() and decode(line) is None
        )

    def _lines(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                yield from file
        except (FileNotFoundError, NotADirectoryError):
            return

    def _open(self) -> tuple[int, bool]:
        try:
            return os.open(self.path, _FLAGS), False
        except FileNotFoundError:
            make_folders(self.path.parent)
            return os.open(self.path, _FLAGS | os.O_CREAT, 0o600), True


def encode(change: Change) -> bytes:
    """Return the line of `change`; fields that are empty are left out."""
    said = ((name, getattr(change, name)) for name in Change.__slots__)
    fields = {name: value for name, value in said if value not in ("", 0, None)}
    fields["at"] = change.at.isoformat()
    if change.usage is not None:
        fields["usage"] = asdict(change.usage)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Change | None:
    """Return the change of a line, or None where it cannot be read.

    Fields of later versions are passed over.
    """
    try:
        fields = json.loads(line)
        known = _known(fields, Change)
        for key in ("id", "actor", "session", "verb", "path", "before", "after"):
            known.setdefault(key, "")
        known["at"] = datetime.fromisoformat(fields["at"])
        known["effect"] = Effect(fields["effect"])
        if "usage" in known:
            known["usage"] = Usage(**_known(known["usage"], Usage))
        return Change(**known)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _known(fields: Mapping[str, Any], kind: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key in kind.__slots__}
