"""Where a claim comes from, and how far it may be trusted."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from vademecum.core.frozen import dataclass


class Tag(enum.StrEnum):
    """The provenance tag that stands in brackets before a claim."""

    STATED = "stated"
    """A person said it in a turn of their own."""
    OBSERVED = "observed"
    """A tool result, a file or a log shows it."""
    INFERRED = "inferred"
    """The agent concluded it."""
    SUGGESTED = "suggested"
    """The agent proposed it and nobody has agreed."""
    UNKNOWN = "unknown"
    """The line carries no tag; it is never read as `stated`."""

    @property
    def rank(self) -> int:
        """Order of trust: 4 for stated, 3 observed, 2 inferred, 1 suggested, 0 unknown."""
        return _RANKS[self]


_RANKS = {Tag.STATED: 4, Tag.OBSERVED: 3, Tag.INFERRED: 2, Tag.SUGGESTED: 1, Tag.UNKNOWN: 0}


def least_trusted(tags: Iterable[Tag]) -> Tag:
    """Return the tag of lowest rank: what a claim derived from all of `tags` may carry at most."""
    return min(tags, key=lambda tag: tag.rank, default=Tag.UNKNOWN)


OF_JOBS = "job:"
"""What the names begin with in which the product's own jobs write."""


def is_job(name: str) -> bool:
    """Whether an actor of that name is one of the product's own jobs."""
    return name.startswith(OF_JOBS)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who writes: a person, an agent or a job, in which session."""

    name: str
    session: str = ""

    @property
    def is_job(self) -> bool:
        """Whether the product itself writes; that is evidence of nothing."""
        return is_job(self.name)
