"""A plain briefing of hits, until that of the recall engine stands in its place."""

from __future__ import annotations

from vademecum.core.provenance import Tag
from vademecum.core.search import Briefing, Found, Freshness, Source, Status
from vademecum.markdown.sizes import estimate_tokens


def brief(query: str, found: Found, *, budget: int) -> Briefing:
    """Return the hits as sources within `budget` tokens."""
    sources: list[Source] = []
    tokens = 0
    for hit in found.hits:
        size = estimate_tokens(hit.text)
        if tokens + size > budget:
            break
        tokens += size
        sources.append(
            Source(
                span=hit.span,
                text=hit.text,
                provenance=Tag.UNKNOWN,
                date=hit.date,
                status=Status.CURRENT,
                freshness=Freshness.UNKNOWN,
                score=hit.score,
                why=hit.why,
                heading=hit.heading,
            )
        )
    return Briefing(
        query, tuple(sources), found.level, found.degraded, found.coverage, tokens, found.reason
    )
