"""Writes that were begun: what a process that dies leaves for the next one to finish."""

from __future__ import annotations

import json
from pathlib import Path

from vademecum.core.changes import Change
from vademecum.core.frozen import dataclass
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.ledger import decode, encode
from vademecum.workspace.whole import make_folders, write_whole


@dataclass(frozen=True, slots=True)
class Intent:
    """One write from the moment that it may have touched its file until the ledger has it."""

    change: Change
    """As the ledger will have it, if nobody else wrote meanwhile."""
    expected: str = ""
    """Digest of what the write displaces; anything else is another writer's."""
    temporary: str = ""
    """Name beside the file: the new content before the swap, the displaced one after it."""

    @property
    def name(self) -> str:
        """The name of its file in the journal."""
        return f"{self.change.id}{self.temporary}.json"


class Journal:
    """A directory with one small file for each unfinished write.

    A writer holds the lock of its file from `begin` to `end`, so an intent whose lock is free
    belongs to a process that died.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def begin(self, intent: Intent, *, durable: bool) -> None:
        """Write the intent down; `durable` when a loss of power must not lose it.

        Raises StateUnwritable, DiskFull.
        """
        path = self.directory / intent.name
        head = {"expected": intent.expected, "temporary": intent.temporary}
        with state_translated(path):
            make_folders(self.directory)
            content = json.dumps(head).encode() + b"\n" + encode(intent.change)
            write_whole(path, content, durable=durable)

    def end(self, intent: Intent) -> None:
        """Forget the intent: its write is in the ledger, or never happened."""
        with state_translated(self.directory):
            (self.directory / intent.name).unlink(missing_ok=True)

    def pending(self) -> tuple[Intent, ...]:
        """Return the unfinished writes, oldest first.

        They appear whole, so one that cannot be read was torn by a loss of power, says nothing any
        more and is removed.
        """
        try:
            files = sorted(self.directory.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return ()
        found = []
        for file in files:
            intent = self._read(file)
            if intent is not None:
                found.append(intent)
        return tuple(found)

    def _read(self, path: Path) -> Intent | None:
        try:
            head, _, line = path.read_bytes().partition(b"\n")
            fields = json.loads(head)
            change = decode(line)
            if change is not None:
                return Intent(change, str(fields["expected"]), str(fields["temporary"]))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            pass
        with state_translated(path):
            path.unlink(missing_ok=True)
        return None
