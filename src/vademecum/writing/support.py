"""Whether quotes speak of a claim at all: evidence of something else raises no trust."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.markdown.tokens import query_terms
from vademecum.writing.decide import normalise

_STEM = 4
"""Signs at the beginning of a word that tell it from others, whatever its ending."""


def speak_of(quotes: Sequence[str], claim: str) -> bool:
    """Whether `quotes` together hold a word of the value that `claim` gives to something.

    Where no rule reads a value off the claim, any word of it but the first will do, which mostly
    says what it is about; and each quote holds some word of it. Small words do not count, endings
    and case neither; a run of signs without blanks is cut into pairs.
    """
    words = _terms(claim)
    said = [set(_terms(quote)) for quote in quotes]
    if not all(each.intersection(words) for each in said):
        return False
    together = set[str]().union(*said)
    values = [_terms(frame.value) for frame in normalise(claim).frames]
    values = [value for value in values if value] or [words[1:] or words]
    return any(together.intersection(value) for value in values)


def _terms(text: str) -> tuple[str, ...]:
    words = (term.text for term in query_terms(text).terms)
    return tuple(dict.fromkeys(word[:_STEM] if word.isalpha() else word for word in words))
