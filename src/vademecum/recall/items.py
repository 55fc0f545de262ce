"""A hit while it is judged: its claims and statements, its status, and what replaced it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vademecum.core.claims import Claim
from vademecum.core.search import Hit, Status

if TYPE_CHECKING:  # the rules of comparison are loaded only where something is compared
    from vademecum.recall.statements import Statement


@dataclass(slots=True)
class Item:
    """A hit and what was found out about it so far."""

    hit: Hit
    claims: tuple[Claim, ...]
    live: tuple[Claim, ...] = ()
    """Those of its claims that stand on the day that is looked at."""
    statements: tuple[Statement, ...] = ()
    """What it states that still stands, once it is compared."""
    status: Status = Status.CURRENT
    after: Claim | Item | None = None
    """What has to come before it."""
    named: str = ""
    """What replaced it, as it is shown: block id, span or link."""
    partly: bool = False
    """Only a part of it is past; the rest is said nowhere else."""
    echo: bool = False
    """A claim of the same note says the same, with provenance and date."""
    later: bool = False
    """It says what nobody knew yet on the day that is looked at."""
    reasons: list[str] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether it counts as current so far."""
        return self.status is Status.CURRENT

    def is_all(self, past: Collection[int]) -> bool:
        """Whether the statements of those numbers are all that it states, as lines or sentences."""
        whole = {number for number, one in enumerate(self.statements) if not one.part}
        parts = {number for number, one in enumerate(self.statements) if one.part}
        return whole <= set(past) or (len(whole) == 1 and bool(parts) and parts <= set(past))

    def past(self, by: Claim | Item | None, reason: str, *, named: str = "") -> None:
        """Mark it as superseded; what the line itself names stays where nothing live is known."""
        self.status = Status.SUPERSEDED
        self.after = by
        self.named = named
        if by is not None:
            self.named = name_of(by)
        elif not named and self.claims:
            self.named = self.claims[0].superseded_by
        self.reasons.append(reason)


def name_of(by: Claim | Item) -> str:
    """Return the block id of a claim, else the place of its line."""
    if isinstance(by, Claim):
        return by.id or str(by.span)
    return str(by.hit.span)
