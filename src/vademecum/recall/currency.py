"""What a line claims and whether it still stands, read from the line itself."""

from __future__ import annotations

from datetime import date, timedelta

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.core.provenance import Tag
from vademecum.core.search import Freshness, Status
from vademecum.markdown.claims import read_claims

FRESH_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a piece of text comes from and whether it is what memory holds true."""

    provenance: Tag = Tag.UNKNOWN
    status: Status = Status.CURRENT
    claim: str = ""
    superseded_by: str = ""
    since: date | None = None


def standing_of(path: str, text: str, role: Role) -> Standing:
    """Return how the claims in `text` stand; several in one text are as trusted as the least."""
    claims = read_claims(path, text)
    status = Status.CANDIDATE if role is Role.CANDIDATES else Status.CURRENT
    if not claims:
        return Standing(status=status)
    if all(not claim.live for claim in claims):
        status = Status.SUPERSEDED
    elif any(claim.conflict for claim in claims):
        status = Status.CONFLICT
    first = claims[0]
    return Standing(
        provenance=min((claim.tag for claim in claims), key=lambda tag: tag.rank),
        status=status,
        claim=first.id,
        superseded_by=first.superseded_by if not first.live else "",
        since=first.since,
    )


def freshness_of(day: date | None, today: date) -> Freshness:
    """Return whether a day on which something was known to hold is recent."""
    if day is None:
        return Freshness.UNKNOWN
    return Freshness.FRESH if today - day <= FRESH_FOR else Freshness.STALE
