"""Lineage: what took a claim's place, what it took the place of, and what held on a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from vademecum.core.claims import Claim
from vademecum.core.ports import ClaimReader

if TYPE_CHECKING:
    from vademecum.recall.statements import Statement

# The rules of comparison take longer to load than a search takes: only what guesses needs them.
# ruff: noqa: PLC0415

_NEAR = 24
_LONGEST_CHAIN = 64
_Place = tuple[str, int]


class Lineage:
    """Follows claims through their supersessions, as they stand now or stood at the end of a day.

    Every answer is looked up once. Chains that lead nowhere or back to themselves end.
    """

    def __init__(self, reader: ClaimReader, as_of: date | None = None) -> None:
        self._reader = reader
        self._as_of = as_of
        self._next: dict[Claim, Claim | None] = {}
        self._notes: dict[str, tuple[Claim, ...]] = {}
        self._near: dict[tuple[str, ...], tuple[Claim, ...]] = {}
        self._vacant: frozenset[str] = frozenset()

    def seen(self, claim: Claim) -> Claim | None:
        """Return the claim as it stood on the day that is looked at; None if it came later."""
        day = self._as_of
        if day is None:
            return claim
        if claim.since is not None and claim.since > day:
            return None
        if claim.live:
            return claim
        until = claim.until
        if until is None:
            after = self.following(claim)
            until = after.since if after is not None else None
        if until is None or until <= day:
            return claim
        return replace(claim, struck=False, until=None, superseded_by="", conflict=False)

    def successor(self, claim: Claim) -> Claim | None:
        """Return the live claim at the end of the chain that begins with a superseded one."""
        passed = {_place(claim)}
        current = self.following(claim)
        while current is not None and _place(current) not in passed:
            seen = self.seen(current)
            if seen is None:
                return None
            if seen.live:
                return current
            passed.add(_place(current))
            current = self.following(current)
        return None

    def family(self, claim: Claim) -> tuple[Claim, ...]:
        """Return the claim with all that it replaced and that replaced it, the oldest first."""
        members = {_place(claim): claim}
        waiting = [claim]
        while waiting and len(members) < _LONGEST_CHAIN:
            current = waiting.pop()
            after = self.following(current)
            found = [*self._before(current), *([after] if after is not None else [])]
            for one in found:
                if _place(one) not in members:
                    members[_place(one)] = one
                    waiting.append(one)
        return tuple(sorted(members.values(), key=_age))

    def holding(self, claim: Claim) -> Claim | None:
        """Return the claim of its family that held on the day that is looked at."""
        live = [one for one in self.family(claim) if (seen := self.seen(one)) and seen.live]
        return max(live, key=_age) if live else None

    def near(self, statement: Statement) -> tuple[Claim, ...]:
        """Return claims that may speak of the same thing as a statement, as they are on file."""
        if statement.keys not in self._near:
            keys = [key for key in statement.keys if key not in self._vacant]
            found = self._reader.claims_by_slot(keys, _NEAR) if keys else ()
            self._near[statement.keys] = tuple(found)
        return self._near[statement.keys]

    def expect(self, statements: Iterable[Statement]) -> None:
        """Find out at once which keys of those statements no claim has: most have none."""
        keys = {key for statement in statements for key in statement.keys}
        self._vacant |= keys - self._reader.slots_taken(keys)

    def beside(self, claim: Claim, lines: int) -> tuple[Claim, ...]:
        """Return the other claims of its note at most `lines` away."""
        first, last = claim.span.first - lines, claim.span.last + lines
        return tuple(
            one
            for one in self._in_note(claim.span.path)
            if one != claim and one.span.last >= first and one.span.first <= last
        )

    def told_later(self, path: str, heading: str) -> bool:
        """Whether a heading of a note has what only came after the day that is looked at.

        The text of a later claim, or a word of one that neither a claim of that day nor the name of
        the file had.
        """
        claims = [(one, self.seen(one) is None) for one in self._in_note(path)]
        later = [one.text for one, is_later in claims if is_later]
        if not later:
            return False
        if heading.casefold() in (text.casefold() for text in later):
            return True
        known = _words(path, *(one.text for one, is_later in claims if not is_later))
        return bool(_words(heading) & _words(*later) - known)

    def _in_note(self, path: str) -> tuple[Claim, ...]:
        if path not in self._notes:
            self._notes[path] = tuple(self._reader.claims_in([path]))
        return self._notes[path]

    def following(self, claim: Claim) -> Claim | None:
        """Return what took the place of a claim, as it is on file; None where nothing did."""
        if claim not in self._next:
            self._next[claim] = self._named(claim) or self._guessed(claim)
        return self._next[claim]

    def _named(self, claim: Claim) -> Claim | None:
        if not claim.superseded_by:
            return None
        found = self._reader.claims_by_id([claim.superseded_by])
        same = [one for one in found if one.span.path == claim.span.path]
        return next(iter(same or found), None)

    def _guessed(self, claim: Claim) -> Claim | None:
        """Find what replaced a claim that was struck without saying by what."""
        if claim.live:
            return None
        from vademecum.recall.statements import likeness, replaces, statement_of

        old = statement_of(claim, claim.since)
        rivals = [
            one
            for one in dict.fromkeys((*self.near(old), *self.beside(claim, 1)))
            if one != claim and _not_before(one, claim) and replaces(one, old)
        ]
        if rivals:
            return min(rivals, key=lambda one: (not one.live, _age(one)))
        below = (one for one in self.beside(claim, 1) if one.span.first > claim.span.last)
        after = next(below, None)
        if after is None or not after.live or after.tag.rank == 0:
            return None
        close = claim.until is not None and after.since == claim.until
        return after if close or likeness(statement_of(after, None), old) > 0 else None

    def _before(self, claim: Claim) -> Iterable[Claim]:
        from vademecum.recall.statements import statement_of

        around = (*self.near(statement_of(claim, claim.since)), *self._in_note(claim.span.path))
        for one in dict.fromkeys(around):
            if not one.live and one != claim and self.following(one) == claim:
                yield one


def _not_before(new: Claim, old: Claim) -> bool:
    day = old.until or old.since
    return new.since is None or day is None or new.since >= day


def _age(claim: Claim) -> tuple[date, bool, date, str, int]:
    """Sorts claims of one thing from the oldest to the newest."""
    until = claim.until or date.max
    return (claim.since or date.min, claim.live, until, claim.span.path, claim.span.first)


def _place(claim: Claim) -> _Place:
    return claim.span.path, claim.span.first


def _words(*texts: str) -> frozenset[str]:
    from vademecum.markdown.tokens import query_terms

    return frozenset(term.text.casefold() for text in texts for term in query_terms(text).terms)
