"""Which claim of one version is which of another: by block id, by words, by likeness."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from difflib import SequenceMatcher

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.markdown.claims import read_claims
from vademecum.markdown.merge.versions import Version
from vademecum.markdown.wording import words_of

_MOST_COMPARED = 4000
"""Pairs whose likeness is looked at; a note that was rewritten altogether has no edited claims."""
_MOST_READ = 40_000_000
"""The same in characters, of one side times the other: comparing two long claims takes that."""
_ALIKE = 0.5
"""Share of common characters from which one claim without an id counts as the other, edited."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of a body that are merged as one: a claim, or a line that is none."""

    key: str
    """The same in all versions: what a claim was matched as, or the line itself."""
    raw: str
    claim: Claim | None = None


def pieces_of(
    path: str, base: Version, ours: Version, theirs: Version
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Return the bodies of three versions in pieces; a claim has one key in all of them."""
    old, mine, yours = (list(read_claims(path, version.text)) for version in (base, ours, theirs))
    keys_old = [f"\0{number}" for number in range(len(old))]
    keys_mine = _keys(mine, old, keys_old, "\0o")
    keys_yours = _keys(yours, old, keys_old, "\0t")
    added = [number for number, key in enumerate(keys_mine) if key.startswith("\0o")]
    ours_added = _Unmatched([mine[number] for number in added])
    for number, key in enumerate(keys_yours):
        if key.startswith("\0t"):
            same = ours_added.by_id(yours[number])
            same = ours_added.by_words(yours[number]) if same is None else same
            if same is not None:
                keys_yours[number] = keys_mine[added[same]]
    return (
        _pieces(base, old, keys_old),
        _pieces(ours, mine, keys_mine),
        _pieces(theirs, yours, keys_yours),
    )


def aliases(path: str, base: Version, ours: Version, theirs: Version) -> dict[str, str]:
    """Return ids of claims that both sides added in the same words, each with the id it gets.

    The lesser of the two ids stands, so that it does not matter who merges.
    """
    before = {claim.id for claim in read_claims(path, base.text)}
    mine = {
        words_of(claim.text): claim.id
        for claim in read_claims(path, ours.text)
        if claim.id and claim.id not in before and claim.live
    }
    known = {claim.id for claim in read_claims(path, ours.text)}
    found = {}
    for claim in read_claims(path, theirs.text):
        other = mine.get(words_of(claim.text))
        if claim.id and other and claim.id not in before | known and claim.live:
            found[max(claim.id, other)] = min(claim.id, other)
    return found


def renamed(version: Version, ids: dict[str, str]) -> Version:
    """Return a version whose block ids, and the mentions of them, are those of `ids`."""
    if not ids:
        return version
    pattern = re.compile(rf"\^({'|'.join(map(re.escape, ids))})(?![A-Za-z0-9-])")
    body = tuple(pattern.sub(lambda found: "^" + ids[found[1]], line) for line in version.body)
    return Version(version.head, body, version.defect)


def _keys(
    side: Sequence[Claim], base: Sequence[Claim], names: Sequence[str], new: str
) -> list[str]:
    """Return the key of each claim of `side`: that of the base's claim it is, else a new one."""
    keys = [""] * len(side)
    free = _Unmatched(base)
    for matching in (free.by_id, free.by_words):
        for number, claim in enumerate(side):
            found = None if keys[number] else matching(claim)
            if found is not None:
                keys[number] = names[found]
    left = [number for number, key in enumerate(keys) if not key and not side[number].id]
    still = [number for number in free.left() if not base[number].id]
    for number, found in _alike(side, left, base, still):
        keys[number] = names[found]
    return [key or f"{new}{number}" for number, key in enumerate(keys)]


class _Unmatched:
    """Claims of one version, each of which is taken once, in their order; a look-up is one step."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._taken = [False] * len(claims)
        self._by_id: dict[str, deque[int]] = {}
        self._by_words: dict[tuple[str, bool], deque[int]] = {}
        for number, claim in enumerate(claims):
            if claim.id:
                self._by_id.setdefault(claim.id, deque()).append(number)
            key = words_of(claim.text), bool(claim.id)
            self._by_words.setdefault(key, deque()).append(number)

    def left(self) -> list[int]:
        """Return the numbers of those that nothing took."""
        return [number for number, taken in enumerate(self._taken) if not taken]

    def by_id(self, claim: Claim) -> int | None:
        """Take the first with the id of a claim."""
        return self._take(self._by_id.get(claim.id, deque()))

    def by_words(self, claim: Claim) -> int | None:
        """Take the first in the words of a claim, unless both have an id: those are two claims."""
        words = words_of(claim.text)
        kinds = (False,) if claim.id else (False, True)
        return self._take(*(self._by_words.get((words, kind), deque()) for kind in kinds))

    def _take(self, *queues: deque[int]) -> int | None:
        for queue in queues:
            while queue and self._taken[queue[0]]:
                queue.popleft()
        first = min((queue[0] for queue in queues if queue), default=None)
        if first is not None:
            self._taken[first] = True
        return first


def _alike(
    side: Sequence[Claim], left: Sequence[int], base: Sequence[Claim], still: Sequence[int]
) -> list[tuple[int, int]]:
    """Return pairs of claims without ids, the first of each the second in other words.

    None where that would take long.
    """
    mine = {number: words_of(side[number].text) for number in left}
    old = {number: words_of(base[number].text) for number in still}
    read = sum(map(len, mine.values())) * sum(map(len, old.values()))
    if len(mine) * len(old) > _MOST_COMPARED or read > _MOST_READ:
        return []
    pairs = []
    for number, words in mine.items():
        found = next((at for at, other in old.items() if _are_alike(words, other)), None)
        if found is not None:
            pairs.append((number, found))
            del old[found]
    return pairs


def _are_alike(first: str, second: str) -> bool:
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _pieces(version: Version, claims: Sequence[Claim], keys: Sequence[str]) -> list[Piece]:
    lines = (*version.head, *version.body)
    starts = {claim.span.first - 1: (claim, key) for claim, key in zip(claims, keys, strict=True)}
    pieces = []
    number = len(version.head)
    while number < len(lines):
        if number in starts:
            claim, key = starts[number]
            raw = "".join(lines[number : claim.span.last])
            pieces.append(Piece(key, raw, claim))
            number = claim.span.last
        else:
            pieces.append(Piece(lines[number], lines[number]))
            number += 1
    return pieces
