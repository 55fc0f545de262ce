"""The claim side of the index over plain dictionaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.ports import KeyedClaim, KeywordQuery, NoteRecord, NoteStanding
from vademecum.markdown.names import is_meant, keys_of_name, names_of
from vademecum.markdown.standing import cites, standing_of_note


@dataclass(frozen=True, slots=True)
class Noted:
    """What an index holds of claims: those of each note, which notes are unread, the notes."""

    claims: Mapping[str, tuple[KeyedClaim, ...]]
    unread: frozenset[str]
    records: Mapping[str, NoteRecord]


class HoldsClaims:
    """Answers about claims by looking at each; scores are rougher than those of a file."""

    def _noted(self) -> Noted:
        raise NotImplementedError

    def _cut(self, text: str) -> tuple[str, ...]:
        raise NotImplementedError

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return every claim of those notes, in order of path and line."""
        return [keyed.claim for keyed in self._keyed() if keyed.claim.span.path in paths]

    def claims_at(self, places: Sequence[Span]) -> Sequence[Claim]:
        """Return the claims that share a line with any of those places, by path and line."""
        claims = [keyed.claim for keyed in self._keyed()]
        return [claim for claim in claims if any(is_shared(claim.span, one) for one in places)]

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids; several notes may use one id."""
        claims = [keyed.claim for keyed in self._keyed()]
        wanted = [id for id in dict.fromkeys(ids) if id]
        return [claim for id in wanted for claim in claims if claim.id == id]

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key, those of earlier keys first."""
        keyed = [(set(one.keys()), one.claim) for one in self._keyed()]
        found = [claim for key in keys for held, claim in keyed if key in held]
        return list(dict.fromkeys(found))[: max(0, limit)]

    def slots_taken(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the slot keys that any claim has."""
        taken = frozenset().union(*(one.keys() for one in self._keyed()))
        return frozenset(key for key in keys if key in taken)

    def claims_by_evidence(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return claims whose evidence names one of those notes, by path or by name."""
        claims = [keyed.claim for keyed in self._keyed()]
        return [
            claim
            for claim in claims
            if any(cites(target, path) for target in claim.evidence for path in paths)
        ]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share terms with the query, best first; days do not count."""
        claims = [keyed.claim for keyed in self._keyed()]
        texts = [self._cut(claim.text) for claim in claims]
        scores: defaultdict[int, float] = defaultdict(float)
        for element in (*query.terms, *(" ".join(phrase) for phrase in query.phrases)):
            asked = self._cut(element)
            held = [number for number, text in enumerate(texts) if asked and _holds(text, asked)]
            for number in held:
                scores[number] += 1 / len(held) / (1 + len(texts[number]))
        order = sorted(scores, key=lambda number: (-scores[number], number))
        return [claims[number] for number in order[: max(0, limit)]]

    def standings(self, paths: Sequence[str]) -> Mapping[str, NoteStanding]:
        """Return what those notes say of themselves as a whole, where they say anything."""
        records = self._noted().records
        known = {path: standing_of_note(records[path].note) for path in paths if path in records}
        return {path: one for path, one in known.items() if one != NoteStanding(path)}

    def crowded(self, most: int) -> Sequence[tuple[Claim, ...]]:
        """Return the live claims that share a slot key, a group for each, of at most `most`."""
        groups: defaultdict[str, dict[Claim, None]] = defaultdict(dict)
        for keyed in self._keyed():
            if keyed.claim.live:
                keys = keyed.keys()
                for key in keys:
                    groups[key][keyed.claim] = None
        found = (tuple(group) for group in groups.values() if 1 < len(group) <= most)
        return list(dict.fromkeys(found))

    def named(self, asked: Mapping[str, str]) -> Mapping[str, str]:
        """Return the notes that are meant by a title or an alias, by path, with what named each."""
        found: dict[str, str] = {}
        for path, record in sorted(self._noted().records.items()):
            for name in names_of(record.note):
                for key in keys_of_name(name):
                    if key in asked and is_meant(name, asked[key]):
                        found.setdefault(path, name)
        return found

    def has_superseded(self) -> bool:
        """Return whether any claim it knows is superseded."""
        return any(not keyed.claim.live for keyed in self._keyed())

    def unread_claims(self, limit: int) -> Sequence[str]:
        """Return paths of notes whose claims were not read yet, newest first."""
        noted = self._noted()
        return sorted(noted.unread, key=lambda path: -noted.records[path].stamp.modified)[:limit]

    def _keyed(self) -> list[KeyedClaim]:
        return [keyed for _, claims in sorted(self._noted().claims.items()) for keyed in claims]


def is_shared(one: Span, other: Span) -> bool:
    """Whether two places have a line in common."""
    return one.path == other.path and one.first <= other.last and one.last >= other.first


def _holds(text: Sequence[str], asked: Sequence[str]) -> bool:
    size = len(asked)
    return any(tuple(text[at : at + size]) == tuple(asked) for at in range(len(text) - size + 1))
