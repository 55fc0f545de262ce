"""Which live claims say the same in several places, and which give one thing two values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.markdown.compare import Contradicts, NormalClaim, Same, Updates, compare, normalise
from vademecum.markdown.compare.keys import claim_keys, declared_key
from vademecum.markdown.wording import key_of, words_of

LARGEST_GROUP = 16
"""Claims under one key; what more share is a word, not a subject."""
_OPENING_SIGNS = 4


@dataclass(frozen=True, slots=True)
class Pairs:
    """Groups of claims that say the same, and pairs that cannot both hold, the newer first."""

    duplicates: tuple[tuple[Claim, ...], ...]
    rivals: tuple[tuple[Claim, Claim], ...]


def pair(groups: Iterable[Sequence[Claim]], claims: Iterable[Claim]) -> Pairs:
    """Return what the live claims are to each other.

    Compared are the members of each of `groups` (those under one slot key), and of `claims` those
    that begin with the same words. Sides of a conflict that is marked are no rivals here.
    """
    claims = [claim for claim in claims if claim.live]
    same: list[tuple[Claim, ...]] = _grouped(claims, key_of, len(claims))
    rivals: dict[frozenset[Claim], tuple[Claim, Claim]] = {}
    seen: set[frozenset[Claim]] = set()
    for group in (*groups, *_grouped(claims, _opening, LARGEST_GROUP)):
        for one, other in combinations(group, 2):
            both = frozenset((one, other))
            if both in seen:
                continue
            seen.add(both)
            newer, older = _ordered(one, other)
            verdict = judged(newer, older)
            if isinstance(verdict, Same):
                same.append((newer, older))
            elif isinstance(verdict, Updates | Contradicts) and not (
                newer.conflict and older.conflict
            ):
                rivals[both] = (newer, older)
    own = (_without_copies(group) for group in _united(same))
    return Pairs(tuple(group for group in own if len(group) > 1), tuple(rivals.values()))


def keyed_groups(claims: Iterable[Claim]) -> Iterator[tuple[Claim, ...]]:
    """Yield the live claims that share a slot key, for claims that no index knows."""
    by_key: dict[str, dict[Claim, None]] = {}
    for claim in claims:
        if claim.live:
            for key in claim_keys(claim):
                by_key.setdefault(key, {})[claim] = None
    for group in by_key.values():
        if 1 < len(group) <= LARGEST_GROUP:
            yield tuple(group)


def _without_copies(group: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a group that are no copy of another: a copy cites it by its id."""
    cited = {claim: {link.partition("#^")[2] for link in claim.evidence} for claim in group}
    ids = {claim.id for claim in group if claim.id}
    return tuple(claim for claim in group if not (cited[claim] - {claim.id}) & ids)


def judged(newer: Claim, older: Claim) -> object:
    """Return what comparing two claims says, a slot that both declare before all rules."""
    first, second = _normal(newer.text), _normal(older.text)
    if newer.slot and older.slot and declared_key(newer.slot) == declared_key(older.slot):
        same = first.keys == second.keys
        return Same("the same words") if same else Updates("the declared slot holds one value")
    return compare(first, second)


@lru_cache(maxsize=4096)
def _normal(text: str) -> NormalClaim:
    return normalise(text)


def _ordered(one: Claim, other: Claim) -> tuple[Claim, Claim]:
    first, second = sorted((one, other), key=lambda claim: (claim.span.path, claim.span.first))
    if first.since is None or (second.since is not None and second.since >= first.since):
        return second, first
    return first, second


def _opening(text: str) -> str:
    """Return the two words that a text begins with; of one without blanks, its first signs."""
    words = words_of(text).split(" ", 2)
    return " ".join(words[:2]) if len(words) > 2 else words[0][:_OPENING_SIGNS]


def _grouped(
    claims: Iterable[Claim], key: Callable[[str], str], most: int
) -> list[tuple[Claim, ...]]:
    by_key: dict[str, list[Claim]] = {}
    for claim in claims:
        by_key.setdefault(key(claim.text), []).append(claim)
    return [tuple(group) for group in by_key.values() if 1 < len(group) <= most]


def _united(groups: Iterable[Sequence[Claim]]) -> tuple[tuple[Claim, ...], ...]:
    """Return the groups with those that share a claim made one."""
    group_of: dict[Claim, dict[Claim, None]] = {}
    for group in groups:
        whole: dict[Claim, None] = {}
        for claim in group:
            whole |= group_of.get(claim, {claim: None})
        for claim in whole:
            group_of[claim] = whole
    unique = {id(whole): whole for whole in group_of.values()}
    return tuple(
        tuple(sorted(whole, key=lambda claim: (claim.span.path, claim.span.first)))
        for whole in unique.values()
    )
