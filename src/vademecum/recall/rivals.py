"""Rivals: lines that give another value to the same thing, and which of them is past."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.notes import Role
from vademecum.core.search import Hit, Legs, Status
from vademecum.markdown.compare import Contradicts, Same, Updates
from vademecum.markdown.standing import cites
from vademecum.recall.items import Item
from vademecum.recall.lineage import Lineage
from vademecum.recall.statements import (
    Statement,
    likeness,
    says_the_same,
    share_a_slot,
    statement_of,
    verdict,
)

_CLOSE = 0.7
_TOLD = (Role.LOG, Role.REFLECTION)
"""What tells what happened on its day; a claim of that day was made from it."""


# ------------------------------------------------------------------ against claims


def cited_past(item: Item, cited: Sequence[Claim], lineage: Lineage) -> None:
    """Mark an entry that is the evidence of a superseded claim and of no live one as close."""
    worst: tuple[float, Claim] | None = None
    closest_live = 0.0
    for claim in cited:
        view = lineage.seen(claim)
        if view is None or not _is_cited(item.hit, claim):
            continue
        meant = statement_of(claim, claim.since)
        close = max((likeness(meant, one) for one in item.statements), default=0.0)
        if view.live:
            closest_live = max(closest_live, close)
        elif close > 0 and (worst is None or close > worst[0]):
            worst = close, claim
    if worst is not None and worst[0] > closest_live:
        claim = worst[1]
        item.partly = len([one for one in item.statements if not one.part]) > 1
        item.past(lineage.successor(claim), f"it was the evidence of {_named(claim)}")


def _is_cited(hit: Hit, claim: Claim) -> bool:
    for target in claim.evidence:
        path, _, anchor = target.partition("#")
        if cites(path, hit.span.path) and (not anchor or _is_below(hit.heading, anchor)):
            return True
    return False


def _is_below(heading: str, anchor: str) -> bool:
    wanted = " ".join(anchor.casefold().split())
    return any(" ".join(part.casefold().split()) == wanted for part in heading.split(" › "))


def outdated_by(item: Item, lineage: Lineage, verified: Callable[[str], date | None]) -> None:
    """Mark what says what a superseded claim said, or an older value than a live claim gives."""
    past: dict[int, tuple[Claim | None, str]] = {}
    for number, statement in enumerate(item.statements):
        found = _outdating(item, statement, lineage, verified)
        if found is not None:
            past[number] = found
    if not past and item.open and not item.claims:
        _led_by(item, lineage)
    if past:
        item.partly = not item.is_all(past)
        item.past(*next(iter(past.values())))


def _outdating(
    item: Item, statement: Statement, lineage: Lineage, verified: Callable[[str], date | None]
) -> tuple[Claim | None, str] | None:
    if not item.claims and item.hit.role not in _TOLD:
        statement = replace(statement, day=_repeated(statement, lineage))
    newest: Claim | None = None
    for claim in lineage.near(statement):
        view = lineage.seen(claim)
        if view is None or _is_own(item, claim):
            continue
        meant = statement_of(claim, claim.since)
        if not view.live:
            if not _is_later(statement, claim) and says_the_same(meant, statement):
                successor = lineage.successor(claim)
                if successor is None or not _is_own(item, successor):
                    return successor, f"says what {_named(claim)} said, which was superseded"
        elif isinstance(verdict(meant, statement), Updates):
            if not _is_newer(item, statement, claim, verified):
                continue
            if item.claims and item.claims[0].tag.rank > claim.tag.rank:
                _conflict(item, f"{_named(claim)} says otherwise, on weaker ground")
                return None
            newest = _newer(newest, claim)
    return (newest, f"an older value than that of {_named(newest)}") if newest else None


def _repeated(statement: Statement, lineage: Lineage) -> date | None:
    """Return the day of a statement, or of the newest live claim that it repeats.

    The description of a note is as old as the note, or of no day, and repeats what was said last.
    """
    days = [
        claim.since
        for claim in lineage.near(statement)
        if claim.since is not None
        and (view := lineage.seen(claim)) is not None
        and view.live
        and says_the_same(statement_of(claim, claim.since), statement)
    ]
    return max(days if statement.day is None else [*days, statement.day], default=None)


def _newer(one: Claim | None, other: Claim) -> Claim:
    if one is None or (other.since or date.min) > (one.since or date.min):
        return other
    return one


def _led_by(item: Item, lineage: Lineage) -> None:
    """Put a live claim before text that says the same: the claim has provenance and a date."""
    for number, statement in enumerate(item.statements):
        for claim in lineage.near(statement):
            view = lineage.seen(claim)
            if view is not None and (not view.live or claim.tag.rank == 0):
                continue
            if says_the_same(statement_of(claim, claim.since), statement):
                if view is None:
                    item.later = item.hit.role not in _TOLD
                    return
                item.after = claim
                item.echo = claim.span.path == item.hit.span.path and item.is_all([number])
                return


def _is_own(item: Item, claim: Claim) -> bool:
    span = item.hit.span
    same = claim.span.path == span.path
    return same and claim.span.first <= span.last and claim.span.last >= span.first


def _is_later(statement: Statement, claim: Claim) -> bool:
    """Whether it was said after the claim had ended: somebody went back to the old value."""
    return statement.day is not None and claim.until is not None and statement.day > claim.until


def _is_newer(
    item: Item, statement: Statement, claim: Claim, verified: Callable[[str], date | None]
) -> bool:
    day = claim.since or verified(claim.span.path)
    if statement.day is None:
        # A line without date or provenance does not hold against one that has them.
        return claim.tag.rank > 0 and all(one.tag.rank == 0 for one in item.claims)
    if day is None:
        return False
    return day >= statement.day if item.hit.role in _TOLD else day > statement.day


def _conflict(item: Item, reason: str) -> None:
    item.status = Status.CONFLICT
    item.reasons.append(reason)


def _named(claim: Claim) -> str:
    return f"^{claim.id}" if claim.id else str(claim.span)


# ------------------------------------------------------------------ against each other


def settle_rivals(items: Sequence[Item]) -> None:
    """Put the newer of two rivals among the hits first and mark the older, where both are dated.

    A claim is not outdated by an entry that nobody remembered: it comes behind the newer entry.
    """
    for older, newer in _pairs(items):
        for one, other in ((a, b) for a in older.statements for b in newer.statements):
            said = verdict(other, one)
            if not isinstance(said, Updates | Contradicts):
                differ = not isinstance(said, Same) and share_a_slot(one, other)
                if differ and _as_close(newer.hit, older.hit):
                    older.after = older.after or newer  # nothing says that one of them is past
                continue
            if newer.claims:
                continue  # held against each other already
            if isinstance(said, Contradicts):
                _contradicting(older, newer)
            elif older.claims:
                older.after = newer
                older.reasons.append(f"an entry of {newer.hit.date} says otherwise")
            else:
                older.partly = not older.is_all([older.statements.index(one)])
                older.past(newer, f"an older value than that of {newer.hit.date}")
            break


def _as_close(newer: Hit, older: Hit) -> bool:
    """Whether the newer answers about as well, so that its being newer may decide."""
    legs = ((newer.legs.lexical, older.legs.lexical), (newer.legs.semantic, older.legs.semantic))
    known = [(one, other) for one, other in legs if one is not None and other is not None]
    if newer.legs == older.legs == Legs():
        return True  # both were read where the question led to, not searched for
    return bool(known) and all(one >= _CLOSE * other for one, other in known)


def _contradicting(older: Item, newer: Item) -> None:
    for one, other in ((older, newer), (newer, older)):
        if one.open:
            _conflict(one, f"{other.hit.span} says the contrary")
    older.after = newer


def _pairs(items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """Yield pairs of open items that share a key, the older first."""
    by_key: dict[str, list[Item]] = {}
    for item in items:
        for key in {key for one in item.statements for key in one.keys} if item.open else ():
            by_key.setdefault(key, []).append(item)
    done: set[tuple[int, int]] = set()
    for held in by_key.values():
        for item in held:
            for other in held:
                pair = id(item), id(other)
                if pair in done or item is other or not _precedes(item, other):
                    continue
                done.add(pair)
                if item.open and other.open:
                    yield item, other


def _precedes(item: Item, other: Item) -> bool:
    first, second = _when(item), _when(other)
    if first is None or second is None:
        return False
    if first != second:
        return first < second
    here, there = item.hit.span, other.hit.span
    return not item.claims and here.path == there.path and here.first < there.first


def _when(item: Item) -> date | None:
    if item.claims and item.claims[0].since:
        return item.claims[0].since
    days = [one.day for one in item.statements if one.day is not None]
    return max(days, default=item.hit.date)
