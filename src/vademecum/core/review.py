"""What waits for a person: matters of review, and what was done about one."""

from __future__ import annotations

import enum

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span


class Matter(enum.StrEnum):
    """Why something is up for review."""

    CONFLICT = "conflict"
    """Claims that are marked as speaking against each other."""
    RIVALS = "rivals"
    """Two live claims that give one thing two values, and nobody marked them."""
    CANDIDATE = "candidate"
    """An inferred lesson that waits at the gate."""
    QUARANTINE = "quarantine"
    """Text from outside that was kept apart."""
    DUPLICATE = "duplicate"
    """Claims that say the same in several places."""
    VERSION = "version"
    """A version of a file that was kept aside: a conflict record, a copy of a sync tool."""
    PROMOTION = "promotion"
    """What recurs and is proposed for core memory."""
    STALE = "stale"
    """A note whose claims nobody verified for more than 30 days."""


class Ruling(enum.StrEnum):
    """What can be done about a matter."""

    KEEP = "keep"
    """It holds: a stale note is verified, a candidate believed, both sides of a pair stay; what is
    proposed goes to core memory."""
    RULE = "rule"
    """One side of a conflict holds; the others are struck."""
    MERGE = "merge"
    """One of the duplicates stays; a kept version is folded into its file."""
    DROP = "drop"
    """It does not hold: struck and dated, never deleted. A kept version is put away, what is
    proposed for core memory not proposed again."""
    RELEASE = "release"
    """Out of quarantine, with the tag that a person gives it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One matter.

    `id` is what the rulings take: a block id, or a place (`PATH`, `PATH:LINE`) where a line has
    none. `text` are the lines as they stand.
    """

    id: str
    matter: Matter
    span: Span
    text: str
    why: str
    rulings: tuple[Ruling, ...]
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a ruling did. `change` is the ledger group, empty when there was nothing to do."""

    id: str
    ruling: Ruling
    sentence: str
    change: str = ""
    claims: tuple[Claim, ...] = ()
    """The claims concerned, as they stand now."""
