"""Answers from the memory of other agents: each source marked with whose it is, none folded in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from vademecum.agents.registry import load_registry
from vademecum.agents.scope import Caller
from vademecum.agents.view import EVERYBODY, View, owners_for, view_of
from vademecum.core.notes import Span
from vademecum.core.ports import Clock
from vademecum.core.search import Briefing, Coverage, Degradation, Found, Hit, Level, Source
from vademecum.markdown.sizes import estimate_tokens

if TYPE_CHECKING:
    from vademecum.service.reading import Excerpt

Piece = TypeVar("Piece", Source, Hit)

_UNREAD = "some of what is granted cannot be read"


def origins(given: str | Sequence[str], caller: Caller, clock: Clock) -> tuple[str, ...]:
    """Return the agents to ask, each once; an empty name is the caller's own memory.

    `EVERYBODY` is that and all who grant anything. Raises AgentNotFound for a name of nobody.
    """
    named = (given,) if isinstance(given, str) else tuple(given)
    if EVERYBODY in named:
        return ("", *owners_for(caller, clock))
    found = []
    for name in named:
        known = load_registry(caller.variables).named(name)
        own = known is not None and known.workspace == caller.root
        found.append("" if own else view_of(caller, name, clock).owner)
    return tuple(dict.fromkeys(found))


def briefing(
    query: str,
    asked: Iterable[str],
    own: Callable[[], Briefing],
    other: Callable[[str], Briefing],
    *,
    limit: int,
    budget: int,
) -> Briefing:
    """Return one briefing of the own memory (an empty name) and those of others.

    Scores of two memories say nothing about each other, so the best of each comes first, then the
    second of each; what does not fit into `limit` and `budget` is left out.
    """
    answers = [own() if not name else other(name) for name in asked]
    sources: list[Source] = []
    used = 0
    for source in _in_turn([answer.sources for answer in answers]):
        size = estimate_tokens(source.text)
        if len(sources) < limit and used + size <= budget:
            sources.append(source)
            used += size
    return Briefing(
        query,
        tuple(sources),
        _level(answer.level for answer in answers),
        tuple(part for answer in answers for part in answer.degraded),
        _coverage([answer.coverage for answer in answers]),
        used,
        "" if sources else _reason(answers),
    )


def found(
    asked: Iterable[str], own: Callable[[], Found], other: Callable[[str], Found], *, limit: int
) -> Found:
    """Return the hits in the own memory (an empty name) and those of others, in turn."""
    answers = [own() if not name else other(name) for name in asked]
    hits = tuple(_in_turn([answer.hits for answer in answers]))[:limit]
    return Found(
        hits,
        _level(answer.level for answer in answers),
        tuple(part for answer in answers for part in answer.degraded),
        _coverage([answer.coverage for answer in answers]),
        "" if hits else _reason(answers),
    )


def marked_briefing(answer: Briefing, view: View) -> Briefing:
    """Return a briefing from another memory with whose it is at every source."""
    return replace(
        answer, sources=_marked(answer.sources, view), degraded=_told(answer.degraded, view)
    )


def marked_found(answer: Found, view: View) -> Found:
    """Return hits of another memory with whose they are at every one."""
    return replace(answer, hits=_marked(answer.hits, view), degraded=_told(answer.degraded, view))


def marked_excerpt(found: Excerpt, view: View) -> Excerpt | None:
    """Return lines of a granted note with whose they are; None for any other file."""
    if found.span.path not in view.workspace.scan((found.span.path,)).files:
        return None
    following = found.following and _at(view.owner, found.following)
    return replace(found, span=_at(view.owner, found.span), following=following, origin=view.owner)


def _marked(pieces: Sequence[Piece], view: View) -> tuple[Piece, ...]:
    """Return the pieces under the owner's name; an index that lags behind adds nothing to them."""
    allowed = view.workspace.scan().files
    return tuple(
        replace(
            piece,
            origin=view.owner,
            span=_at(view.owner, piece.span),
            superseded_by=_elsewhere(view.owner, piece.superseded_by),
        )
        for piece in pieces
        if piece.span.path in allowed
    )


def _at(owner: str, span: Span) -> Span:
    return replace(span, path=f"{owner}:{span.path}")


def _elsewhere(owner: str, place: str) -> str:
    return f"{owner}:{place}" if place and not place.startswith("^") else place


def _told(degraded: Iterable[Degradation], view: View) -> tuple[Degradation, ...]:
    """Return what was not consulted, without the names that a reason may hold."""
    return tuple(
        Degradation(f"{view.owner}: {one.part}", _UNREAD if one.part == "files" else one.reason)
        for one in degraded
    )


def _in_turn(lists: Sequence[Sequence[Piece]]) -> Iterator[Piece]:
    for position in range(max(map(len, lists), default=0)):
        yield from (pieces[position] for pieces in lists if position < len(pieces))


def _level(levels: Iterable[Level]) -> Level:
    return max(levels, key=lambda level: level.value, default=Level.SEARCH)


def _coverage(parts: Sequence[Coverage]) -> Coverage:
    return Coverage(
        notes_on_disk=sum(part.notes_on_disk for part in parts),
        notes_indexed=sum(part.notes_indexed for part in parts),
        chunks=sum(part.chunks for part in parts),
        chunks_embedded=sum(part.chunks_embedded for part in parts),
        skipped=sum(part.skipped for part in parts),
        unreadable=sum(part.unreadable for part in parts),
    )


def _reason(answers: Sequence[Briefing | Found]) -> str:
    return next((answer.reason for answer in answers if answer.reason), "")
