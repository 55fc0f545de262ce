"""A briefing: the cheapest level that answers, at most a few cited sources, within a budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain

from vademecum.core.ids import text_digest
from vademecum.core.notes import Role, Span
from vademecum.core.provenance import Tag
from vademecum.core.search import (
    Briefing,
    Found,
    Hit,
    IndexedChunk,
    Legs,
    Level,
    Source,
    Status,
)
from vademecum.markdown.sizes import estimate_tokens, pieces
from vademecum.recall.currency import Moment, current, with_history
from vademecum.recall.find import Leg
from vademecum.recall.levels import chunks_of, likely_notes, mapped_notes, named_note
from vademecum.recall.parse import Question, parse
from vademecum.recall.relevance import Relevance
from vademecum.recall.search import Ground, look, of_day, why_nothing

_PER_FILE = 3
"""Sources of one file while others have something to say as well."""
_SPARE = 6
"""How many hits are looked at for each source wanted: copies and weak ones fall out."""

_CONCLUDED = (Tag.INFERRED, Tag.SUGGESTED)

ONLY_PAST = "Only what is past speaks of it; ask with --history to be told."
LATER = "Nothing was known of it on that day."


def brief(
    ground: Ground,
    query: str,
    *,
    limit: int = 5,
    budget: int = 2000,
    history: bool = False,
    as_of: date | None = None,
    scopes: Collection[str] = (),
    leg: Leg | None = None,
) -> Briefing:
    """Answer `query` with at most `limit` sources of `budget` estimated tokens together.

    A note that the query names is read (L2); a question whose words all stand in a line of the map
    is answered from there (L1), unless an agent only concluded it; all else is searched for (L3). A
    first source that alone is longer than the budget is cut at a line or sentence.

    What is past is left out; with `history` each claim comes with all that it replaced, the oldest
    first. `as_of` answers with what was known on a day, `scopes` only from notes that hold there or
    everywhere. Raises IndexUnusable.
    """
    question = parse(query, ground.today)
    cheaper = None if scopes else _cheaper(ground, question, limit)
    found = cheaper or look(
        of_day(ground, as_of), query, leg=leg, limit=limit * _SPARE, scopes=scopes
    )
    if cheaper is None:
        hits = _but_maps(ground, Relevance(ground.reader, question, scopes).answers(found.hits))
    else:
        hits = [*found.hits, *_told_elsewhere(ground, query, limit)]
    answered = bool(hits)
    moment = Moment(ground.today, as_of, ground.now)
    hits = (with_history if history else current)(ground.reader, hits, moment)
    if cheaper is None:
        joined = _joined(hits)
        lines = _spread(_successions(joined) if history else ([hit] for hit in joined), limit)
    else:
        hits = _of_notes(hits, {hit.span.path for hit in cheaper.hits})
        lines = list(_successions(hits)) if history else [hits]
    hits = _newest_of_each(lines, limit) if history else list(chain.from_iterable(lines))
    sources, tokens = _within([_source(hit) for hit in hits], limit, budget)
    reason = "" if sources else found.reason or why_nothing(ground.coverage)
    if answered and not sources:
        reason = LATER if as_of else ONLY_PAST
    return Briefing(query, sources, found.level, found.degraded, ground.coverage, tokens, reason)


# ------------------------------------------------------------------ the cheaper levels


def _cheaper(ground: Ground, question: Question, limit: int) -> Found | None:
    if question.empty:
        return None
    notes = likely_notes(ground.reader, question)
    named = named_note(question, notes)
    if named is not None:
        why = f"{named.path} is what the question names"
        return _read(ground, (named.path,), Level.FILE, why, limit)
    mapped = mapped_notes(question, notes)
    if mapped:
        why = "its line in the map holds every word of the question"
        read = _read(ground, [note.path for note in mapped], Level.MAP, why, limit)
        return read if read is not None and _is_settled(ground, read) else None
    return None


def _is_settled(ground: Ground, read: Found) -> bool:
    """Whether nothing in it is a mere conclusion: what a person said may stand elsewhere."""
    claims = ground.reader.claims_at([hit.span for hit in read.hits])
    return not any(claim.live and claim.tag in _CONCLUDED for claim in claims)


def _read(ground: Ground, paths: Sequence[str], level: Level, why: str, limit: int) -> Found | None:
    share = max(1, limit // len(paths))
    chunks = [chunk for path in paths for chunk in chunks_of(ground.reader, path, share)]
    hits = tuple(_as_hit(chunk, why) for chunk in chunks)
    return Found(hits, level, ground.degraded, ground.coverage) if hits else None


def _as_hit(chunk: IndexedChunk, why: str) -> Hit:
    return Hit(chunk.span, chunk.text, chunk.heading, chunk.date, 1.0, Legs(), why, chunk.role)


# ------------------------------------------------------------------ which hits are sources


def _but_maps(ground: Ground, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits without lines of maps, which repeat what a note says; those, if all are.

    Facts that stand in a map, as core memory does in some profiles, are no repetition.
    """
    maps = [hit.span for hit in hits if hit.role is Role.MAP]
    if not maps:
        return list(hits)
    facts = {(one.span.path, one.span.first) for one in ground.reader.claims_at(maps)}
    kept = [
        hit
        for hit in hits
        if hit.role is not Role.MAP
        or any((hit.span.path, n) in facts for n in range(hit.span.first, hit.span.last + 1))
    ]
    return kept or list(hits)


def _joined(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits with lines that follow each other made one, in the place of the better."""
    joined: list[Hit] = []
    for hit in hits:
        for place, held in enumerate(joined):
            both = _one_of(held, hit)
            if both is not None:
                joined[place] = both
                break
        else:
            joined.append(hit)
    return joined


def _one_of(better: Hit, hit: Hit) -> Hit | None:
    one, other = sorted((better, hit), key=lambda each: each.span.first)
    follows = one.span.last + 1 == other.span.first and one.span.path == other.span.path
    if _is_cited(one) or _is_cited(other) or one.status is not other.status:
        return None  # nothing past joins what holds
    if not follows or one.heading != other.heading:
        return None
    text = f"{one.text}\n{other.text}"
    span = Span(one.span.path, one.span.first, other.span.last, text_digest(text))
    return replace(better, span=span, text=text)


def _is_cited(hit: Hit) -> bool:
    """Whether it is a claim that is cited by itself: it has an id or a provenance of its own."""
    return bool(hit.claim) or hit.provenance is not Tag.UNKNOWN


def _told_elsewhere(ground: Ground, query: str, limit: int) -> tuple[Hit, ...]:
    """Return what a search finds as well, so that places are known which still tell the old."""
    if not ground.reader.has_superseded():
        return ()
    return look(ground, query, leg="keyword", limit=2 * limit).hits


def _of_notes(hits: Sequence[Hit], paths: Collection[str]) -> list[Hit]:
    """Return the lines of those notes and what replaced one of them."""
    replaced = {hit.superseded_by for hit in hits if hit.span.path in paths} - {""}
    return [
        hit
        for hit in hits
        if hit.span.path in paths or hit.status is not Status.CURRENT or hit.claim in replaced
    ]


def _newest_of_each(lines: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    """Return at most `limit` hits of a history: of the best line of succession all it has room
    for, then of the next; of each the newest, the oldest first.

    Where there are more, what is past and no claim goes first.
    """
    hits = list(chain.from_iterable(lines))
    spare = max(0, len(hits) - limit)
    dropped = [hit for hit in hits if hit.status is Status.SUPERSEDED and not hit.claim][-spare:]
    kept: list[Hit] = []
    for line in lines:
        room = limit - len(kept)
        told = [hit for hit in line if not spare or hit not in dropped]
        kept += told[-room:] if room > 0 else []
    return kept


def _successions(hits: Sequence[Hit]) -> Iterator[list[Hit]]:
    """Cut hits behind each that holds: what stands before it is what it replaced."""
    line: list[Hit] = []
    for hit in hits:
        line.append(hit)
        if hit.status is not Status.SUPERSEDED:
            yield line
            line = []
    if line:
        yield line


def _spread(lines: Iterable[Sequence[Hit]], limit: int) -> list[list[Hit]]:
    """Return hits of distinct text, lines of a file beyond its share behind all others.

    A line of succession is one: what replaced what is not torn apart.
    """
    first: list[list[Hit]] = []
    later: list[list[Hit]] = []
    texts: set[str] = set()
    taken: dict[str, int] = {}
    for line in lines:
        fresh = [hit for hit in line if _is_new(hit, texts)]
        if not fresh:
            continue
        path = fresh[-1].span.path
        taken[path] = taken.get(path, 0) + 1
        (first if taken[path] <= _PER_FILE else later).append(fresh)
    return [*first, *later][: 2 * limit]


def _is_new(hit: Hit, texts: set[str]) -> bool:
    said = " ".join(hit.text.split()).casefold()
    known = said in texts
    texts.add(said)
    return not known


# ------------------------------------------------------------------ sources within the budget


def _within(
    candidates: Sequence[Source], limit: int, budget: int
) -> tuple[tuple[Source, ...], int]:
    sources: list[Source] = []
    used = 0
    for source in candidates:
        size = estimate_tokens(source.text)
        if not sources and size > budget:
            source = _cut(source, budget)
            size = estimate_tokens(source.text)
        if used + size <= budget and len(sources) < limit:
            used += size
            sources.append(source)
    return tuple(sources), used


def _cut(source: Source, budget: int) -> Source:
    start, stop = next(pieces(source.text, max(1, budget - 1), 0))
    text = source.text[start:stop].rstrip()
    last = source.span.first + text.count("\n")
    why = "; ".join(part for part in (source.why, "cut to the budget") if part)
    return replace(
        source, text=text, why=why, span=replace(source.span, last=last, digest=text_digest(text))
    )


def _source(hit: Hit) -> Source:
    return Source(
        span=hit.span,
        text=hit.text,
        provenance=hit.provenance,
        date=hit.date,
        status=hit.status,
        freshness=hit.freshness,
        score=hit.score,
        why=hit.why,
        heading=hit.heading,
        superseded_by=hit.superseded_by,
        claim=hit.claim,
        until=hit.until,
    )
