"""What a model said of claims that it was shown, each as it stood then."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import field

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass


class Relation(enum.StrEnum):
    """What a new claim does to an older one, as a model sees it."""

    SAME = "same"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    APART = "apart"
    """Both hold."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The relation of a new claim to each that was shown; empty, with the `reason`, if it failed.

    It holds for a claim as long as its id and its words are those that were shown.
    """

    relations: Mapping[Claim, Relation] = field(default_factory=dict)
    reason: str = ""

    def of(self, claim: Claim) -> Relation | None:
        """Return what was said of a claim; None where it was not shown, or says otherwise now."""
        for shown, relation in self.relations.items():
            if (shown.id, shown.text) == (claim.id, claim.text):
                return relation
        return None

    @property
    def touched(self) -> tuple[Claim, ...]:
        """The claims that it would not leave as they are."""
        return tuple(
            claim for claim, relation in self.relations.items() if relation is not Relation.APART
        )

    def gone(self, now: Iterable[Claim]) -> tuple[Claim, ...]:
        """Return the touched claims that are not among those of the files as they are `now`."""
        there = {(claim.id, claim.text) for claim in now if claim.live}
        return tuple(claim for claim in self.touched if (claim.id, claim.text) not in there)


UNJUDGED = Judged()
"""No model was asked."""
