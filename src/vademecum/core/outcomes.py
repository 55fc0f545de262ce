"""What `remember` did with a claim: one value a case, all of them expected."""

from __future__ import annotations

from dataclasses import field

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span


@dataclass(frozen=True, slots=True)
class Decided:
    """What every outcome says.

    `change` is the ledger group of the call's writes, empty when nothing was written. `rule` names
    what decided, `related` the ids of near claims that were left alone. `notes` are sentences
    about what was not done as asked or configured: a tag that was lowered, a model that was silent.
    """

    claim: str
    text: str
    span: Span
    rule: str
    change: str = ""
    related: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Added(Decided):
    """The claim is new and stands."""


@dataclass(frozen=True, slots=True)
class Updated(Decided):
    """The claim stands; the older ones about the same thing are struck, dated and linked."""

    superseded: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflicted(Decided):
    """Both sides stand, marked, until a person rules."""

    rivals: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class AlreadyKnown(Decided):
    """Memory held it already; at most its `last_verified` moved."""


@dataclass(frozen=True, slots=True)
class Waiting(Decided):
    """An inferred lesson at the gate: seen, not yet believed."""

    weight: float = 0.0
    """Sum of its signals' weights; 3 opens the gate."""
    sessions: int = 0
    """Distinct sessions among its signals; 2 open the gate."""


@dataclass(frozen=True, slots=True)
class Quarantined(Decided):
    """The claim rests on untrusted text: kept apart, never served or injected."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class LoggedOnly(Decided):
    """Nothing in it lasts; it is in today's log."""

    entries: tuple[Span, ...] = field(default=())


Outcome = Added | Updated | Conflicted | AlreadyKnown | Waiting | Quarantined | LoggedOnly
