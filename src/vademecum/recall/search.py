"""A search from end to end: parse, find, fuse, rank; where nothing is found, the files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Literal

from vademecum.core.frozen import dataclass
from vademecum.core.ports import Embedder
from vademecum.core.roles import Role
from vademecum.core.search import Coverage, Degradation, Found, Hit, Legs, Level
from vademecum.recall import fuse
from vademecum.recall.currency import Moment, Reader, judged
from vademecum.recall.exact import Exact, exact_matches
from vademecum.recall.find import Candidates, Leg, find
from vademecum.recall.literal import literal_hits
from vademecum.recall.parse import Question, parse
from vademecum.recall.rank import Ranked, Warmth, rank

_SPARE = 2
"""How many hits are looked at for each that is wanted: lines of maps go behind those of notes."""
NOTHING_ASKED = "The query holds no word to look for."
NOTHING_KNOWN = "Nothing known: no note says anything about it."
UNREAD = "Nothing found in what can be read; {unreadable} of the files and folders cannot be."
INCOMPLETE = "Nothing found in what is indexed so far; still to be read: {missing} of {all} notes."


@dataclass(frozen=True, slots=True)
class Tuning:
    """How hits are found and ranked; the defaults are those that the benchmarks are run with."""

    fusion: Literal["weighted", "rank"] = "weighted"
    weights: fuse.Weights = fuse.Weights()
    smoothing: float = 0.15
    breadth: int = 200


@dataclass(frozen=True, slots=True)
class Ground:
    """What a search stands on: index, model, today, and what is known to be missing."""

    reader: Reader
    embedder: Embedder | None
    today: date
    coverage: Coverage
    degraded: tuple[Degradation, ...] = ()
    texts: Callable[[], Iterable[tuple[str, str]]] = tuple
    """Path and text of every note on disk, for what no index finds."""
    tuning: Tuning = Tuning()
    warmth: Warmth | None = None
    """Temperature of notes today; without it, and on other days, none counts."""
    now: datetime | None = None
    """The instant, for what says to the hour how long it holds."""


def search(
    ground: Ground,
    query: str,
    *,
    leg: Leg | None = None,
    limit: int = 10,
    as_of: date | None = None,
    scopes: Collection[str] = (),
) -> Found:
    """Return the places that match `query`, best first; any text is a safe query.

    With `leg` only words (which starts no model) or only meaning are asked. What is past is marked
    and stands behind what replaced it; `as_of` looks at what was known on a day. `scopes` leaves
    out notes that hold elsewhere only. Raises IndexUnusable.
    """
    found = look(of_day(ground, as_of), query, leg=leg, limit=_SPARE * limit, scopes=scopes)
    notes = [hit for hit in found.hits if hit.role is not Role.MAP]
    maps = [hit for hit in found.hits if hit.role is Role.MAP]  # they repeat what notes say
    first = [*notes, *maps][:limit]
    moment = Moment(ground.today, as_of, ground.now)
    hits = judged(ground.reader, first, moment, thorough=leg != "keyword")[:limit]
    reason = found.reason or ("" if hits else why_nothing(ground.coverage))
    return replace(found, hits=tuple(hits), reason=reason)


def of_day(ground: Ground, as_of: date | None) -> Ground:
    """Return the ground for a question about a day: what is warm today was not so then."""
    return ground if as_of is None else replace(ground, warmth=None)


def look(
    ground: Ground,
    query: str,
    *,
    leg: Leg | None = None,
    limit: int = 10,
    scopes: Collection[str] = (),
) -> Found:
    """Return the places that match, whether or not what they say still holds."""
    question = parse(query, ground.today)
    if question.empty:
        return _signs_only(ground, question, leg, limit)
    wanted = max(limit, ground.tuning.breadth) if scopes else limit
    ranked, candidates = ranked_hits(ground, question, leg=leg, limit=wanted)
    ranked = within(ground.reader, ranked, scopes)[:limit]
    degraded = ground.degraded + candidates.degraded + _lacking(ground, leg)
    hits = tuple(_hit(one) for one in ranked)
    if not hits and leg != "semantic":
        hits, unread = literal_hits(question.text, ground.texts(), limit)
        degraded += unread
    return _found(ground, hits, degraded=degraded)


def within(reader: Reader, ranked: list[Ranked], scopes: Collection[str]) -> list[Ranked]:
    """Return those whose note names no scope or one of `scopes`; without `scopes` all."""
    if not scopes:
        return ranked
    wanted = {scope.casefold() for scope in scopes}
    standings = reader.standings([one.chunk.span.path for one in ranked])
    return [
        one
        for one in ranked
        if (standing := standings.get(one.chunk.span.path)) is None
        or not standing.scopes
        or not wanted.isdisjoint(standing.scopes)
    ]


def _signs_only(ground: Ground, question: Question, leg: Leg | None, limit: int) -> Found:
    """Look for an emoji, an operator, a bracket where it is written: no index holds those."""
    if leg == "semantic":
        return _found(ground, (), reason=NOTHING_ASKED)
    hits, unread = literal_hits(question.text, ground.texts(), limit)
    reason = "" if hits else NOTHING_ASKED
    return _found(ground, hits, degraded=ground.degraded + unread, reason=reason)


def ranked_hits(
    ground: Ground, question: Question, *, leg: Leg | None, limit: int
) -> tuple[list[Ranked], Candidates]:
    """Return the best chunks in order and the candidates they were chosen from."""
    tuning, reader = ground.tuning, ground.reader
    breadth = max(tuning.breadth, limit)
    candidates = find(reader, ground.embedder, question, leg=leg, breadth=breadth)
    fusion = fuse.by_rank if tuning.fusion == "rank" else fuse.weighted
    exact = Exact({}) if leg == "semantic" else exact_matches(reader, question, candidates.words)
    matches = fuse.on_one_scale(candidates)
    weights = tuning.weights if leg else tuning.weights.of_known(candidates.embedded)
    fused = fusion(matches, weights)
    ranked = rank(
        question,
        candidates,
        matches,
        fused,
        reader.chunks(_worth_reading(fused, question, exact, breadth)),
        smoothing=tuning.smoothing,
        exact=exact,
        limit=limit,
        warmth=ground.warmth,
    )
    return ranked, candidates


def _worth_reading(
    fused: Mapping[int, float], question: Question, exact: Exact, most: int
) -> list[int]:
    """Return the best `most` by both legs; all where the day of an entry, yet unread, decides."""
    if len(fused) <= most or question.days:
        return list(fused)
    best = sorted(fused, key=lambda chunk: (-fused[chunk], chunk))[:most]
    return list(dict.fromkeys([*best, *(chunk for chunk in exact.found if chunk in fused)]))


def _hit(ranked: Ranked) -> Hit:
    chunk = ranked.chunk
    return Hit(
        span=chunk.span,
        text=chunk.text,
        heading=chunk.heading,
        date=chunk.date,
        score=round(ranked.score, 6),
        legs=Legs(ranked.lexical, ranked.semantic),
        why="; ".join(ranked.reasons),
        role=chunk.role,
    )


def _lacking(ground: Ground, leg: Leg | None) -> tuple[Degradation, ...]:
    coverage = ground.coverage
    missing = coverage.chunks - coverage.chunks_embedded
    if leg == "keyword" or ground.embedder is None or missing <= 0:
        return ()
    return (
        Degradation(
            "meaning",
            f"{missing:,} of {coverage.chunks:,} chunks have no vector yet",
            "`vade sync` makes them",
        ),
    )


def _found(
    ground: Ground,
    hits: tuple[Hit, ...],
    *,
    degraded: tuple[Degradation, ...] = (),
    reason: str = "",
) -> Found:
    return Found(
        hits=hits,
        level=Level.SEARCH,
        degraded=degraded or ground.degraded,
        coverage=ground.coverage,
        reason=reason or ("" if hits else why_nothing(ground.coverage)),
    )


def why_nothing(coverage: Coverage) -> str:
    """Tell 'nothing known' from 'not everything is indexed'."""
    if coverage.complete:
        return NOTHING_KNOWN
    if coverage.unreadable:
        return UNREAD.format(unreadable=coverage.unreadable)
    missing = coverage.notes_on_disk - coverage.notes_indexed
    return INCOMPLETE.format(missing=missing, all=coverage.notes_on_disk)
