"""Who wrote what in the memory that a view shows: by the ledger, not by what a text says."""

from __future__ import annotations

from collections import Counter

from vademecum.agents.registry import load_registry
from vademecum.agents.scope import Caller
from vademecum.agents.view import View
from vademecum.core.changes import Change
from vademecum.core.errors import Unreadable
from vademecum.core.provenance import OF_JOBS
from vademecum.markdown.gathered import marks_in
from vademecum.writing.history import of_claim

GATHERER = f"{OF_JOBS}gather"
"""In whose name is written what is gathered: what jobs write is evidence of nothing."""


class Authors:
    """The writers of one memory, which a group shares."""

    def __init__(self, view: View, caller: Caller) -> None:
        self._view = view
        self._names: dict[str, str] = {}
        """Under each name that a member has or had, the member."""
        for agent in load_registry(caller.variables).at(view.workspace.root):
            for name in (*(former.name for former in agent.formerly), agent.name):
                self._names[name] = agent.name
        self._logged: dict[str, list[Change]] = {}
        self._gathered: Counter[str] = Counter()
        for change in view.records().ledger.changes(verb="log"):
            self._logged.setdefault(change.path, []).append(change)
            if change.actor == GATHERER:
                self._gathered.update(change.group.split("+"))

    def is_gathered(self, text: str) -> bool:
        """Whether an entry was gathered from others; each gathered one answers for one entry."""
        marks = ["-".join(mark) for mark in marks_in(text)]
        if not marks or any(self._gathered[mark] <= 0 for mark in marks):
            return False
        self._gathered.subtract(marks)
        return True

    def of_entry(self, path: str, raw: str) -> str:
        """Return the member of the group who logged these lines; without a record the owner."""
        said = raw.strip().encode()
        blobs = self._view.records().blobs
        for change in self._logged.get(path, ()):
            try:
                if change.actor in self._names and said in blobs.get(change.added):
                    return self._names[change.actor]
            except Unreadable:
                continue  # purged
        return self._view.owner

    def of_decision(self, path: str, id: str) -> str:
        """Return the member who wrote the claim with that block id; without a record the owner."""
        if len(set(self._names.values())) < 2 or not id:
            return self._view.owner
        records = self._view.records()
        changes = of_claim(records.ledger.changes(path=path), id, records.blobs)
        first = next(iter(changes), None)
        return self._names.get(first.actor, self._view.owner) if first else self._view.owner
