"""Whether quotes speak of a claim at all: evidence of something else raises no trust."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vademecum.markdown.tokens import query_terms
from vademecum.writing.decide import normalise

_STEM = 4
"""Signs at the beginning of a word that tell it from others, whatever its ending."""
_ENOUGH = 2


def speak_of(quotes: Sequence[str], claim: str) -> bool:
    """Whether `quotes` together hold a word of the value that `claim` gives to something.

    Where no rule reads a value off the claim, two words of it, or its only one, will do; and each
    quote holds one. Small words do not count, endings and case neither; a run of signs without
    blanks is cut into pairs.
    """
    words = _terms(claim)
    said = [_terms(quote) for quote in quotes]
    if not all(words & each for each in said):
        return False
    together = frozenset[str]().union(*said)
    values = [_terms(frame.value) for frame in normalise(claim).frames]
    if values := [value for value in values if value]:
        return any(value & together for value in values)
    return len(words & together) >= min(_ENOUGH, max(len(words), 1))


def _terms(text: str) -> frozenset[str]:
    return frozenset(_stemmed(term.text for term in query_terms(text).terms))


def _stemmed(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        yield word[:_STEM] if word.isalpha() else word
