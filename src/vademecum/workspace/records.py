"""What is kept of every write: intent before, versions beside, ledger line after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import StorageFailed
from vademecum.core.frozen import dataclass
from vademecum.workspace.blobs import Blobs
from vademecum.workspace.journal import Intent, Journal
from vademecum.workspace.ledger import Ledger
from vademecum.workspace.trail import Trail


@dataclass(frozen=True, slots=True)
class Records:
    """Ledger, versions, journal and trail of one workspace, all in its state directory."""

    ledger: Ledger
    blobs: Blobs
    journal: Journal
    trail: Trail

    def complete(self, intent: Intent, change: Change, *, resumed: bool = False) -> None:
        """Record `change`, whose bytes are durable, and forget its intent once it is recorded."""
        if self.record(change, resumed=resumed):
            self.journal.end(intent)

    def complete_all(self, intents: Sequence[Intent]) -> None:
        """Record the changes of many intents, whose bytes are durable, with one wait."""
        try:
            for intent in intents:
                self.trail.add(intent.change)
            self.ledger.record_all([intent.change for intent in intents])
        except StorageFailed:
            return  # as for one: the journal still says them
        for intent in intents:
            self.journal.end(intent)

    def record(self, change: Change, *, resumed: bool = False) -> bool:
        """Record `change`, whose bytes are durable; return whether the ledger has it.

        `resumed` when a process that died may already have recorded it. Where the ledger cannot
        take the line, the intent in the journal still says it, and the next writer adds it: the
        file holds the change, so the write is not refused any more.
        """
        if resumed and self.recorded(change):
            return True
        try:
            self.trail.add(change)
            self.ledger.record(change)
        except StorageFailed:
            return False
        return True

    def recorded(self, change: Change) -> bool:
        """Whether the ledger has a change with the id of this one."""
        return any(True for _ in self.ledger.changes(id=change.id))


def open_records(state: Path) -> Records:
    """Return the records in the state directory `state`; nothing is made before it is needed."""
    blobs = Blobs(state / "blobs")
    return Records(
        Ledger(state / "ledger.jsonl"),
        blobs,
        Journal(state / "journal"),
        Trail(state / "trail", blobs),
    )


def planned(signature: Signature, effect: Effect, path: str, before: str, after: str) -> Change:
    """Return the change that `signature` makes to the file at `path`."""
    return Change(
        id=signature.id,
        at=signature.at,
        actor=signature.actor.name,
        session=signature.actor.session,
        verb=signature.verb,
        effect=effect,
        path=path,
        before=before,
        after=after,
        summary=signature.summary,
        undoes=signature.undoes,
        group=signature.group,
    )
