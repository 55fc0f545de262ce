"""Proposals for core memory that wait for a person, and those that a person did not want."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, field, replace
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.patterns import later
from vademecum.markdown.compare import normalise
from vademecum.markdown.injection import ADDRESSED, is_order
from vademecum.markdown.secrets import find_secrets
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import locked
from vademecum.workspace.whole import make_folders, write_whole

PREFIX = "promote:"
_TAKEN_OUT = ("[redacted: ", "[forgotten ")


_PLACED = (
    (later(r"(?i)\b(is|are) (?:located|situated|based|housed) (?=in |at |on )"), r"\1 "),
    (later(r"(?i)\b(?:lies|stands|sits) (?=in |at |on )"), "is "),
    (
        later(r"(?i)\b(?:befinde[tn] sich|liegt|steht|ist gelegen) (?=(?:in|im|an|am|auf|bei) )"),
        "ist ",
    ),
    (later("位于|坐落[在于]"), "在"),
)
"""Other words for being somewhere, and the plain one."""


def unfit(text: str) -> str:
    """Return why a text may never be proposed for core memory, which every session reads; empty
    where it may."""
    if is_order(text):
        return ADDRESSED
    if find_secrets(text):
        return "it holds what looks like a credential"
    return "what it said was taken out" if any(mark in text for mark in _TAKEN_OUT) else ""


def marks_of(text: str) -> frozenset[str]:
    """Return digests of what a statement says; what has one in common with it says the same.

    One is of its words, without small ones and other words for being somewhere; the others are of
    each slot of one value that it fills, with that value.
    """
    for pattern, plain in _PLACED:
        text = pattern.sub(plain, text)
    normal = normalise(text)
    said = {" ".join((normal.negation, *normal.content))} if normal.content else set()
    said |= {
        f"{normal.negation} {frame.slot}\x1f{frame.value.casefold()}"
        for frame in normal.frames
        if frame.relation in ("attribute", "means") or frame.strength == "single"
    }
    return frozenset(text_digest(one)[:12] for one in said)


@dataclass(frozen=True, slots=True)
class Waiting:
    """One proposal: what would go to core memory, from where, and why."""

    id: str
    text: str
    path: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """All proposals of a workspace, and the ids of those that were dismissed."""

    waiting: tuple[Waiting, ...] = ()
    dismissed: frozenset[str] = field(default=frozenset())
    marks: frozenset[str] = field(default=frozenset())
    """Of what was dismissed, see `marks_of`."""

    def has_dismissed(self, id: str, text: str) -> bool:
        """Whether a person did not want it, in these words or others that say the same."""
        return id in self.dismissed or not self.marks.isdisjoint(marks_of(text))


class Proposals:
    """The file that holds them. What cannot be read in it was never proposed."""

    def __init__(self, state: Path) -> None:
        self._file = state / "promotions.json"
        self._lock = state / "locks" / "promotions.lock"

    def read(self) -> Proposed:
        """Return what waits and what was dismissed."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads(self._file.read_bytes())
            waiting = tuple(Waiting(**row) for row in found["waiting"])
            marks = frozenset(found.get("marks", ()))
            return Proposed(waiting, frozenset(found["dismissed"]), marks)
        return Proposed()

    def propose(self, waiting: Sequence[Waiting]) -> None:
        """Let these wait, in place of those that did. Raises StateUnwritable, DiskFull."""
        with locked(self._lock):
            was = self.read()
            self._write(replace(was, waiting=tuple(waiting)), was)

    def dismiss(self, id: str) -> bool:
        """Remember that `id` is not wanted; return whether that is new."""
        with locked(self._lock):
            was = self.read()
            rest = tuple(one for one in was.waiting if one.id != id)
            marks = was.marks.union(*(marks_of(one.text) for one in was.waiting if one.id == id))
            self._write(Proposed(rest, was.dismissed | {id}, marks), was)
            return id not in was.dismissed

    def _write(self, now: Proposed, was: Proposed) -> None:
        if now == was:
            return
        made = {
            "waiting": [asdict(one) for one in now.waiting],
            "dismissed": sorted(now.dismissed),
            "marks": sorted(now.marks),
        }
        with state_translated(self._file):
            make_folders(self._file.parent)
            write_whole(self._file, json.dumps(made).encode(), durable=True)
