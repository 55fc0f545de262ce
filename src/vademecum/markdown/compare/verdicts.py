"""What comparing two claims can say, each with the name of the rule that said it."""

from __future__ import annotations

from vademecum.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Same:
    """Both claims say the same: nothing needs to be written."""

    rule: str


@dataclass(frozen=True, slots=True)
class Updates:
    """The new claim takes the old one's place: the old line is to be struck."""

    rule: str


@dataclass(frozen=True, slots=True)
class Contradicts:
    """Both cannot hold and nothing says which does: a person has to decide."""

    rule: str


@dataclass(frozen=True, slots=True)
class Related:
    """About the same thing, yet both can hold: keep both and link them."""

    rule: str


@dataclass(frozen=True, slots=True)
class Unrelated:
    """Nothing to do with each other."""

    rule: str = "no rule applies"


Verdict = Same | Updates | Contradicts | Related | Unrelated
