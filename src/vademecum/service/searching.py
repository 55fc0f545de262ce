"""Keyword hits and a plain briefing of them, until the recall engine stands in their place."""

from __future__ import annotations

from vademecum.core.ports import IndexReader, KeywordQuery
from vademecum.core.provenance import Tag
from vademecum.core.search import (
    Briefing,
    Coverage,
    Degradation,
    Found,
    Freshness,
    Hit,
    Legs,
    Level,
    Source,
    Status,
)
from vademecum.markdown.sizes import estimate_tokens
from vademecum.markdown.tokens import query_terms


def search(
    index: IndexReader,
    query: str,
    *,
    limit: int,
    coverage: Coverage,
    degraded: tuple[Degradation, ...],
) -> Found:
    """Return the best chunks by words."""
    cut = query_terms(query)
    terms = tuple(term.text for term in cut.terms if term.kind != "prefix")
    prefixes = tuple(term.text for term in cut.terms if term.kind == "prefix")
    if not terms and not prefixes:
        return Found((), Level.SEARCH, degraded, coverage, reason="The query holds no word.")
    scored = index.keyword_hits(KeywordQuery(terms, cut.phrases, prefixes), limit)
    chunks = index.chunks([one.chunk for one in scored])
    hits = tuple(
        Hit(
            span=found.span,
            text=found.text,
            heading=found.heading,
            date=found.date,
            score=one.score,
            legs=Legs(lexical=one.score),
            why=f"words: {', '.join(terms + prefixes)}",
        )
        for one in scored
        if (found := chunks.get(one.chunk)) is not None
    )
    reason = "" if hits else "Nothing known: no note holds these words."
    if not hits and not coverage.complete:
        reason = "Nothing in the part that is indexed; the index is incomplete."
    return Found(hits, Level.SEARCH, degraded, coverage, reason)


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
