"""Currency: no hit is served as true today that memory knows to be past.

Each hit is held against the claims that speak of the same thing, and against the other hits; what
replaced it comes before it, whether or not the search found that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Protocol

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role, Span
from vademecum.core.ports import ClaimReader, IndexReader, NoteStanding
from vademecum.core.provenance import Tag
from vademecum.core.search import Freshness, Hit, Legs, Status
from vademecum.markdown.living import tells_the_past
from vademecum.markdown.standing import PAST
from vademecum.recall.items import Item
from vademecum.recall.lineage import Lineage

FRESH_FOR = timedelta(days=30)


class Reader(IndexReader, ClaimReader, Protocol):
    """What currency reads: chunks and claims of one index."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The day that is looked at: today, or an earlier one."""

    today: date
    as_of: date | None = None
    now: datetime | None = None
    """The instant, where it is known more exactly than the day."""

    @property
    def day(self) -> date:
        """The last day that counts."""
        return self.as_of or self.today

    def reached(self, instant: datetime) -> bool:
        """Whether an aware instant is not in the future."""
        if self.as_of is None and self.now is not None:
            return instant <= self.now
        return instant.date() <= self.day


def judged(
    reader: Reader, hits: Sequence[Hit], moment: Moment, *, thorough: bool = True
) -> list[Hit]:
    """Return the hits with what is known of their standing, each behind what replaced it.

    What replaced a hit is there even where it was not among them. Hits that are no rivals keep
    their order. With a day in `moment` claims and entries of later days are left out, and what held
    on that day is current. Unless `thorough`, hits are compared only where memory holds anything
    superseded or two of them are much alike: loading the rules takes longer than a search by words.
    Raises IndexUnusable.
    """
    return [item.hit for item in _Judging(reader, moment).ordered(hits, thorough=thorough)]


def current(reader: Reader, hits: Sequence[Hit], moment: Moment) -> list[Hit]:
    """Return the hits as `judged` does without what is past.

    A piece of which only a part is past stays, marked.
    """
    items = _Judging(reader, moment).ordered(hits, thorough=True)
    kept = [item for item in items if item.status is not Status.SUPERSEDED or item.partly]
    return [item.hit for item in kept if not item.echo]


def with_history(reader: Reader, hits: Sequence[Hit], moment: Moment) -> list[Hit]:
    """Return the hits as `judged` does, each claim with all that it replaced, the oldest first."""
    judging = _Judging(reader, moment)
    items = judging.chained(judging.ordered(hits, thorough=True))
    return [item.hit for item in items if not item.echo]


class _Judging:
    """The judging of one answer's hits."""

    def __init__(self, reader: Reader, moment: Moment) -> None:
        self._reader = reader
        self._moment = moment
        self._lineage = Lineage(reader, moment.as_of)
        self._standings: dict[str, NoteStanding] = {}

    def ordered(self, hits: Sequence[Hit], *, thorough: bool) -> list[Item]:
        """Return an item for each hit and for each successor, successors first."""
        items = self._items(hits)
        if thorough or self._reader.has_superseded() or are_alike([one.hit for one in items]):
            self._compare(items)
        items = [item for item in items if not item.later]
        for item in items:
            self._mark(item)
        return self._in_order(items)

    # -------------------------------------------------------------- what stands on its lines

    def _items(self, hits: Sequence[Hit]) -> list[Item]:
        self._learn(hit.span.path for hit in hits)
        claims = _by_path(self._reader.claims_at([hit.span for hit in hits]))
        items: list[Item] = []
        for hit in hits:
            own = tuple(one for one in claims.get(hit.span.path, ()) if _overlap(one, hit.span))
            item = self._item(hit, own)
            if item is not None and all(item.hit.span != one.hit.span for one in items):
                items.append(item)
        return items

    def _learn(self, paths: Iterable[str]) -> None:
        unknown = [path for path in dict.fromkeys(paths) if path not in self._standings]
        known = self._reader.standings(unknown) if unknown else {}
        self._standings |= {path: known.get(path, NoteStanding(path)) for path in unknown}

    def _item(self, hit: Hit, own: tuple[Claim, ...]) -> Item | None:
        if not own:
            return self._unclaimed(hit)
        seen = [one for one in own if self._lineage.seen(one) is not None]
        if seen:
            return self._claimed(hit, tuple(seen))
        held = self._lineage.holding(own[0])  # all of it came later than the day asked about
        return self._fetched(held, hit.score) if held is not None else None

    def _unclaimed(self, hit: Hit) -> Item | None:
        as_of = self._moment.as_of
        if as_of is not None and hit.date is not None and hit.date > as_of:
            return None
        item = Item(hit, ())
        struck = _struck_in(hit) if "~~" in hit.text else ()
        if struck and not any(one.live for one in struck):
            item.claims = struck
            item.past(self._lineage.successor(struck[0]), "struck out")
        elif tells_the_past(hit.text):
            item.past(None, "marked as superseded")
        self._by_note(item)
        return item

    def _claimed(self, hit: Hit, own: tuple[Claim, ...]) -> Item:
        live = [one for one in own if (view := self._lineage.seen(one)) and view.live]
        item = Item(hit, own, tuple(live))
        if not live:
            item.past(self._lineage.successor(own[0]), "struck out")
        elif any((view := self._lineage.seen(one)) and view.conflict for one in live):
            item.status = Status.CONFLICT
            item.reasons.append("in conflict: both sides stand until a person rules")
        elif hit.role is Role.CANDIDATES:
            item.status = Status.CANDIDATE
            item.reasons.append("a candidate: not yet believed")
        self._by_note(item)
        return item

    def _by_note(self, item: Item) -> None:
        standing = self._standings[item.hit.span.path]
        if item.status is Status.CURRENT and standing.status in PAST:
            item.past(None, f"its note is {standing.status}", named=standing.successor)
        elif item.status is Status.CURRENT and standing.status == "conflict" and item.claims:
            item.status = Status.CONFLICT
            item.reasons.append("its note is in conflict until a person rules")

    # -------------------------------------------------------------- what others say of it

    def _compare(self, items: Sequence[Item]) -> None:
        from vademecum.recall import rivals, statements, told  # noqa: PLC0415  see `judged`

        for item in items:
            if item.open:
                item.statements = statements.stated(item.live, item.hit)
        self._lineage.expect(one for item in items for one in item.statements)
        superseded = self._reader.has_superseded()
        logs = [one.hit.span.path for one in items if one.open and one.hit.role is Role.LOG]
        cited = self._reader.claims_by_evidence(sorted(set(logs))) if logs else ()
        for item in items:
            if item.open and item.hit.role is Role.LOG:
                rivals.cited_past(item, cited, self._lineage)
            if item.open:
                rivals.outdated_by(item, self._lineage, self._verified)
            if superseded and item.open and not item.claims:
                told.place_told(item, self._reader, self._lineage)
        rivals.settle_rivals(items)

    def _verified(self, path: str) -> date | None:
        self._learn([path])
        return self._standings[path].verified

    # -------------------------------------------------------------- the order

    def _in_order(self, items: Sequence[Item]) -> list[Item]:
        placed: list[Item] = []
        present = {_key(claim): item for item in items for claim in item.claims}
        visiting: set[int] = set()

        def place(item: Item) -> None:
            if id(item) in visiting:
                return
            visiting.add(id(item))
            after = item.after
            if isinstance(after, Claim):
                if _key(after) not in present:
                    present[_key(after)] = self._brought(after, item)
                after = present[_key(after)]
            if after is not None:
                place(after)
            placed.append(item)
            for other in self._other_sides(item):
                if _key(other) not in present:
                    present[_key(other)] = self._brought(other, item)
                place(present[_key(other)])

        for item in items:
            place(item)
        return _reported(placed)

    def _other_sides(self, item: Item) -> tuple[Claim, ...]:
        if item.status is not Status.CONFLICT or not item.claims:
            return ()
        beside = self._lineage.beside(item.claims[0], 3)
        return tuple(one for one in beside if one.live and one.conflict)

    def _brought(self, claim: Claim, instead: Item) -> Item:
        item = self._fetched(claim, instead.hit.score)
        if item.status is Status.CURRENT:
            item.reasons.insert(0, f"replaces {instead.hit.span}")
        self._mark(item)
        return item

    def _fetched(self, claim: Claim, score: float) -> Item:
        """Return an item for a claim that no hit holds."""
        self._learn([claim.span.path])
        chunks = self._reader.chunks_at([claim.span])
        if not chunks:
            hit = Hit(claim.span, claim.text, "", claim.since, score, Legs(), "")
            return self._claimed(hit, (claim,))
        chunk = chunks[0]
        hit = Hit(chunk.span, chunk.text, chunk.heading, chunk.date, score, Legs(), "", chunk.role)
        return self._claimed(hit, (claim,))

    def chained(self, items: Sequence[Item]) -> list[Item]:
        """Put the whole lineage of each claim in its place, the oldest first."""
        found: list[Item] = []
        known = {_key(claim): item for item in items for claim in item.claims}
        done: set[tuple[str, int]] = set()
        for item in items:
            for claim in self._lineage.family(item.claims[0]) if item.claims else ():
                if _key(claim) in done or self._lineage.seen(claim) is None:
                    continue
                done.add(_key(claim))
                member = known.get(_key(claim))
                if member is None:
                    member = self._fetched(claim, item.hit.score)
                    self._mark(member)
                if member.status is Status.SUPERSEDED and claim.superseded_by:
                    member.hit = replace(member.hit, superseded_by=claim.superseded_by)
                found.append(member)
            if all(item is not one for one in found):
                found.append(item)
        return found

    # -------------------------------------------------------------- what is said of it

    def _mark(self, item: Item) -> None:
        """Write what was found into the hit."""
        hit, claim = item.hit, item.claims[0] if item.claims else None
        until = claim.until if claim is not None else None
        day = (claim.since if claim is not None else None) or hit.date
        freshness, aged = self._freshness(item, day)
        words = [hit.why, *item.reasons, _held(claim), aged]
        item.hit = replace(
            hit,
            heading=self._heading_then(hit),
            why="; ".join(dict.fromkeys(word for word in words if word)),
            date=day,
            status=item.status,
            freshness=freshness,
            provenance=min((one.tag for one in item.claims), key=_rank, default=Tag.UNKNOWN),
            superseded_by=item.named if item.status is Status.SUPERSEDED else "",
            claim=claim.id if claim is not None else "",
            until=until,
        )

    def _heading_then(self, hit: Hit) -> str:
        """Return the heading without a title that tells what a later claim says."""
        if self._moment.as_of is None:
            return hit.heading
        from vademecum.markdown.chunk import SEPARATOR  # noqa: PLC0415  no search needs it

        path, parts = hit.span.path, hit.heading.split(SEPARATOR)
        return SEPARATOR.join(p for p in parts if not self._lineage.told_later(path, p))

    def _freshness(self, item: Item, day: date | None) -> tuple[Freshness, str]:
        if item.status is Status.SUPERSEDED:
            return Freshness.STALE, ""
        standing = self._standings[item.hit.span.path]
        if standing.expires is not None and self._moment.reached(standing.expires):
            return Freshness.STALE, f"stale since {standing.expires.date().isoformat()}"
        verified = standing.verified
        known_days = (one for one in (verified, day) if one is not None)
        known = max((one for one in known_days if one <= self._moment.day), default=None)
        if known is None:
            return Freshness.UNKNOWN, ""
        freshness = freshness_of(known, self._moment.day)
        if freshness is Freshness.FRESH:
            return freshness, ""
        age = (self._moment.day - known).days
        return freshness, f"stale: last verified {known.isoformat()}, {age} days ago"


def freshness_of(day: date | None, today: date) -> Freshness:
    """Return whether a day on which something was known to hold is recent."""
    if day is None:
        return Freshness.UNKNOWN
    return Freshness.FRESH if today - day <= FRESH_FOR else Freshness.STALE


def _struck_in(hit: Hit) -> tuple[Claim, ...]:
    from vademecum.markdown.claims import read_claims  # noqa: PLC0415  few hits hold a strike

    return read_claims(hit.span.path, hit.text)


def are_alike(hits: Sequence[Hit]) -> bool:
    """Whether two hits of different days have so many words in common that they may be rivals."""
    cut = [
        (frozenset(hit.text.casefold().split()), hit.date) for hit in hits if len(hit.text) < 300
    ]
    for number, (words, day) in enumerate(cut):
        for others, other_day in cut[:number]:
            shared = len(words & others)
            if day != other_day and 2 * shared >= max(len(words), len(others)) and shared > 1:
                return True
    return False


def _reported(placed: Sequence[Item]) -> list[Item]:
    """Let what replaced others say which places still tell the old."""
    stale: dict[int, list[Span]] = {}
    holders = {_key(claim): item for item in placed for claim in item.claims}
    for item in placed:
        after = holders.get(_key(item.after)) if isinstance(item.after, Claim) else item.after
        said_so = any(not claim.live for claim in item.claims)
        if item.status is Status.SUPERSEDED and after is not None and not said_so:
            stale.setdefault(id(after), []).append(item.hit.span)
    for item in placed:
        if id(item) in stale and item.status is not Status.SUPERSEDED:
            places = ", ".join(map(str, stale[id(item)]))
            said = f"still told otherwise in {places}"
            item.hit = replace(item.hit, why="; ".join(filter(None, (item.hit.why, said))))
    return list(placed)


def _held(claim: Claim | None) -> str:
    if claim is None or claim.live:
        return ""
    since = f"from {claim.since.isoformat()} " if claim.since else ""
    until = f"until {claim.until.isoformat()}" if claim.until else "until it was struck"
    return f"held {since}{until}"


def _by_path(claims: Iterable[Claim]) -> Mapping[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.span.path, []).append(claim)
    return found


def _overlap(claim: Claim, span: Span) -> bool:
    return claim.span.first <= span.last and claim.span.last >= span.first


def _key(claim: Claim) -> tuple[str, int]:
    return claim.span.path, claim.span.first


def _rank(tag: Tag) -> int:
    return tag.rank
