"""What was asked for and acknowledged, and whether files and ledger say the same afterwards."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from vademecum.core.errors import VademecumError
from vademecum.core.notes import Role
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.workspace.archived import archived_notes
from vademecum.workspace.workspace import Workspace
from vademecum.writing.quarantine import FOLDER as QUARANTINE

WORD = re.compile(r"\bzq[a-z]+\d+z\b")


@dataclass(slots=True)
class Operation:
    """One call: what it was, its unique word, and how it ended."""

    kind: str
    word: str
    end: str = "unknown"
    """`ok`, `refused` (nothing was changed) or `unknown` (it may have been)."""
    changes: tuple[str, ...] = ()
    """Ledger ids that were acknowledged."""
    undone: bool = False
    took: float = 0.0


@dataclass(slots=True)
class History:
    """Every operation of every process; threads of the harness add to it."""

    operations: list[Operation] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _count: int = 0

    def begin(self, kind: str, worker: str) -> Operation:
        """Return a new operation with a word that nobody else has."""
        with self._turn:
            self._count += 1
            operation = Operation(kind, f"zq{worker}{self._count}z")
            self.operations.append(operation)
        return operation

    def complain(self, told: str) -> None:
        """Note what no run may show."""
        with self._turn:
            self.complaints.append(told)


class Checker:
    """Compares a history with what is on disk once every process has ended."""

    def __init__(self, workspace: Workspace, history: History) -> None:
        self._workspace = workspace
        self._history = history
        self._texts = dict(self._read())
        self._invoked = {one.word: one for one in history.operations}
        self._changes = list(workspace.ledger.changes())

    def problems(self) -> Iterator[str]:
        """Yield everything that is wrong."""
        yield from self._history.complaints
        yield from self._in_files()
        yield from self._invented()
        yield from self._ledger()

    def _read(self) -> Iterator[tuple[str, str]]:
        workspace = self._workspace
        folders = (".vade/conflicts", f"{workspace.profile.note_folder}/{QUARANTINE}")
        found = [
            file.relative_to(workspace.root).as_posix()
            for folder in folders
            for file in (workspace.root / folder).glob("*.md")
        ]
        for path in {*workspace.scan().files, *archived_notes(workspace), *found}:
            yield path, decode(workspace.files.read(path).data).text

    def _in_files(self) -> Iterator[str]:
        logged: Counter[str] = Counter()
        claimed: Counter[str] = Counter()
        anywhere: Counter[str] = Counter()
        for path, text in self._texts.items():
            if self._workspace.role_of(path) is Role.LOG:
                logged.update(
                    word
                    for line in text.splitlines()
                    if line.startswith("Crate ")
                    for word in WORD.findall(line)
                )
            else:
                claimed.update(
                    word
                    for claim in read_claims(path, text)
                    if claim.text.startswith("Shelf ")
                    for word in set(WORD.findall(claim.text))
                )
            anywhere.update(set(WORD.findall(text)))
        for one in self._history.operations:
            found = {"log": logged, "remember": claimed}.get(one.kind, anywhere)[one.word]
            if one.end == "ok" and one.undone and one.kind in ("log", "remember") and found:
                yield f"{one.kind} {one.word} was undone and is there"
            elif one.end == "ok" and not one.undone and one.kind in ("log", "remember"):
                if found != 1:
                    yield f"{one.kind} {one.word} was acknowledged and is there {found} times"
            elif one.end == "ok" and one.kind == "by hand" and not found:
                yield f"{one.word} was saved by hand and is nowhere"
            elif one.end == "refused" and one.kind in ("log", "remember") and found:
                yield f"{one.kind} {one.word} was refused and is there"
            elif one.kind in ("log", "remember") and found > 1:
                yield f"{one.kind} {one.word} is there {found} times"

    def _invented(self) -> Iterator[str]:
        for path, text in self._texts.items():
            for word in set(WORD.findall(text)) - self._invoked.keys():
                yield f"{word} in {path} was never asked for"

    def _ledger(self) -> Iterator[str]:
        ledger = self._workspace.ledger
        ids = Counter(change.id for change in self._changes)
        yield from (f"the ledger has {id} {count} times" for id, count in ids.items() if count > 1)
        groups = {change.group for change in self._changes}
        for one in self._history.operations:
            for change in one.changes:
                if one.end == "ok" and change and change not in ids and change not in groups:
                    yield f"{one.kind} {one.word}: {change} was acknowledged and is in no ledger"
        yield from (f"line {line} of the ledger cannot be read" for line in ledger.defects())
        for change in self._changes:
            for word in set(WORD.findall(change.summary)) - self._invoked.keys():
                yield f"{word} in the ledger was never asked for"
        for path in {change.path for change in self._changes if change.path}:
            last = ledger.last(path)
            try:
                digest = self._workspace.files.read(path).digest
            except VademecumError:
                digest = ""
            by_hand = "/hand" in path
            if last is not None and last.after != digest and not by_hand:
                yield f"{path} is not as the ledger says"
        if pending := list(self._workspace.files.records.journal.pending()):
            yield f"{len(pending)} writes were begun and not finished"
        yield from (
            f"{file.name} was left behind" for file in self._workspace.root.rglob(".vade-*")
        )
