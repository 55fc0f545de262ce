"""Find the claims that a new one may concern, among many, without comparing it with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from vademecum.markdown.compare import words
from vademecum.markdown.compare.frames import owners
from vademecum.markdown.compare.normalise import NormalClaim

LONGEST_POSTING = 64
"""A key that more claims share than this tells nothing apart and is skipped."""
_RARE_TERMS = 3
_RARE_POSTING = 40
_CJK_CONNECTORS = frozenset("是为在有はがをに")


def slot_keys(claim: NormalClaim) -> tuple[str, ...]:
    """Keys that rivals of a claim share with it, longest first.

    The slots of its frames, the words up to each connector, and what it says without negation.
    """
    found = dict.fromkeys(frame.slot for frame in claim.frames)
    found.update(dict.fromkeys(f"named\x1f{gone}" for gone in _named(claim)))
    found.update(dict.fromkeys(_prefixes(claim)))
    if claim.content:
        found["says\x1f" + " ".join(sorted(claim.content))] = None
        found["begins\x1f" + " ".join(claim.content[:3])] = None
    return tuple(sorted(found, key=len, reverse=True))


def _named(claim: NormalClaim) -> Iterable[str]:
    for frame in claim.frames:
        for subject in owners(frame):
            yield f"{subject}\x1f{frame.value.casefold()}"
            if frame.replaces:
                yield f"{subject}\x1f{frame.replaces.casefold()}"


def _prefixes(claim: NormalClaim) -> Iterable[str]:
    spaced = claim.script in ("latin", "korean")
    for place, token in enumerate(claim.tokens[:-1], start=1):
        connects = token in words.STATE_VERBS if spaced else token in _CJK_CONNECTORS
        if connects and place > 1:
            yield "starts\x1f" + " ".join(claim.keys[:place])


class ClaimIndex:
    """Claims by id, held in memory, with the few that a new claim has to be compared with.

    Adding, removing and asking cost time in the number of words of the claim, not of claims.
    """

    def __init__(self) -> None:
        self._claims: dict[str, NormalClaim] = {}
        self._keys: dict[str, set[str]] = {}
        self._terms: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._claims)

    def __contains__(self, identity: object) -> bool:
        return identity in self._claims

    def get(self, identity: str) -> NormalClaim:
        """Return a claim that was added; KeyError for any other id."""
        return self._claims[identity]

    def add(self, identity: str, claim: NormalClaim) -> None:
        """Add a claim; one already there under this id is replaced."""
        if identity in self._claims:
            self.remove(identity)
        self._claims[identity] = claim
        for key in slot_keys(claim):
            self._keys.setdefault(key, set()).add(identity)
        for term in set(claim.content):
            self._terms.setdefault(term, set()).add(identity)

    def remove(self, identity: str) -> None:
        """Take a claim out; an unknown id changes nothing."""
        claim = self._claims.pop(identity, None)
        if claim is None:
            return
        for key in slot_keys(claim):
            _drop(self._keys, key, identity)
        for term in set(claim.content):
            _drop(self._terms, term, identity)

    def candidates(self, new: NormalClaim, limit: int = 16) -> tuple[str, ...]:
        """Ids of the claims nearest to a new one, best first, at most ``limit``."""
        weights: Counter[str] = Counter()
        for key in slot_keys(new):
            self._weigh(weights, self._keys.get(key, set()), LONGEST_POSTING, 4)
        rare = sorted(
            (term for term in set(new.content) if term in self._terms),
            key=lambda term: (len(self._terms[term]), term),
        )
        for term in rare[:_RARE_TERMS]:
            self._weigh(weights, self._terms[term], _RARE_POSTING, 1)
        ranked = sorted(weights, key=lambda identity: (-weights[identity], identity))
        return tuple(ranked[:limit])

    @staticmethod
    def _weigh(weights: Counter[str], found: set[str], longest: int, weight: int) -> None:
        if len(found) <= longest:
            for identity in found:
                weights[identity] += weight


def _drop(postings: dict[str, set[str]], key: str, identity: str) -> None:
    found = postings.get(key)
    if found:
        found.discard(identity)
        if not found:
            del postings[key]
