"""Which claim of one version is which of another: by block id, by words, by likeness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.markdown.claims import read_claims
from vademecum.markdown.merge.versions import Version
from vademecum.markdown.wording import words_of

_MOST_COMPARED = 4000
"""Pairs whose likeness is looked at; a note that was rewritten altogether has no edited claims."""
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
    ours_added: list[Claim | None] = [mine[number] for number in added]
    for number, key in enumerate(keys_yours):
        if key.startswith("\0t"):
            same = _same(yours[number], ours_added)
            if same is not None:
                keys_yours[number] = keys_mine[added[same]]
                ours_added[same] = None
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
    free = dict.fromkeys(range(len(base)))
    for matching in (_by_id, _by_words, _by_likeness):
        left = [number for number, key in enumerate(keys) if not key]
        if matching is _by_likeness and len(left) * len(free) > _MOST_COMPARED:
            break
        for number in left:
            claim = side[number]
            found = next((at for at in free if matching(claim, base[at])), None)
            if found is not None:
                keys[number] = names[found]
                del free[found]
    return [key or f"{new}{number}" for number, key in enumerate(keys)]


def _same(claim: Claim, among: Sequence[Claim | None]) -> int | None:
    for matching in (_by_id, _by_words):
        for number, other in enumerate(among):
            if other is not None and matching(claim, other):
                return number
    return None


def _by_id(first: Claim, second: Claim) -> bool:
    return bool(first.id) and first.id == second.id


def _by_words(first: Claim, second: Claim) -> bool:
    if first.id and second.id:
        return False
    return words_of(first.text) == words_of(second.text)


def _by_likeness(first: Claim, second: Claim) -> bool:
    if first.id or second.id:
        return False
    matcher = SequenceMatcher(None, words_of(first.text), words_of(second.text), autojunk=False)
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
