"""Which hits answer at all: cut-offs that no size of memory shifts, and notes a question names."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.core.search import Hit, IndexedChunk, Legs
from vademecum.markdown.names import keys_asked
from vademecum.markdown.standing import PAST
from vademecum.markdown.tokens import index_text
from vademecum.recall.currency import Reader
from vademecum.recall.parse import Question

_LEAST_LEXICAL, _LEAST_SEMANTIC = 0.1, 0.2
"""Cut-offs, one a leg: parts of a full match below which a hit is no answer."""
_LEAST_ALONE = 0.33
"""What the nearest by meaning must reach where no word of the question is known at all."""
_LOGS = (Role.LOG, Role.REFLECTION, Role.OTHER)
"""Where a line may leave out what it is about, because the lines around it say so."""
_MOST_NAMED = 12
"""Notes of which more have a name that the question holds are not meant by it: it is a word."""
_ENDING = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """What a hit has to reach: a share of the question's words by weight, or likeness."""

    covered: float
    semantic: float


_CURATED = Bar(0.2, 0.45)
"""For lines of notes, which say what they are about."""
_BESIDE_NAMED = Bar(0.5, 0.6)
"""For lines of other notes than those that the question names."""


_NAMING = Bar(0.6, 0.5)
"""For lines of other notes that name it as well, of the words that any note holds: what else the
question holds tells nothing of them."""


class Relevance:
    """What a question asks of its answers."""

    def __init__(self, reader: Reader, question: Question, scopes: Collection[str] = ()) -> None:
        self._reader = reader
        self._weights, self._known = _weights(reader, question)
        self.named = _named(reader, question, scopes)
        """Paths of the notes that the question names, with the name."""

    def answers(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits that may answer, and lines of named notes that no leg found."""
        if not self.named and _are_far(hits):
            return []
        kept = [hit for hit in hits if self._is_answer(hit)]
        present = {hit.span.path for hit in kept}
        missing = [path for path in self.named if path not in present]
        return [*kept, *(hit for path in missing for hit in self._lines_of(path))]

    def _is_answer(self, hit: Hit) -> bool:
        legs = hit.legs
        if hit.span.path in self.named or legs == Legs():
            return True  # found as it was asked, in the file itself
        if hit.role in _LOGS:
            strong = (legs.lexical or 0.0) >= _LEAST_LEXICAL
            return strong or (legs.semantic or 0.0) >= _LEAST_SEMANTIC
        bar, weights = _BESIDE_NAMED if self.named else _CURATED, self._weights
        if self.named and self._tells_of_named(hit):
            bar, weights = _NAMING, self._known
        return (legs.semantic or 0.0) >= bar.semantic or _covered(hit, weights) >= bar.covered

    def _tells_of_named(self, hit: Hit) -> bool:
        """Whether a line of another note speaks of what the question names."""
        told = f"{hit.heading} {hit.text}".casefold()
        return any(
            re.search(
                rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name), told
            )
            for name in map(str.casefold, self.named.values())
        )

    def _lines_of(self, path: str) -> list[Hit]:
        claims = [claim.span for claim in self._reader.claims_in([path])]
        why = f"the question names its note: {self.named[path]}"
        return [_as_hit(chunk, why) for chunk in self._reader.chunks_at(claims[:2])]


def _weights(reader: Reader, question: Question) -> tuple[dict[str, float], dict[str, float]]:
    """Return the weight of each word, as FTS5 weighs it, and of those alone that any note holds.

    What no note holds weighs most.
    """
    terms = list(dict.fromkeys(term.text for term in question.terms.terms))
    total = reader.counts().chunks
    frequency = reader.document_frequency(terms)
    weights = {
        term: max(0.0, math.log((total - frequency[term] + 0.5) / (frequency[term] + 0.5)))
        for term in terms
    }
    known = {term: weight for term, weight in weights.items() if frequency[term]}
    return weights, known if sum(known.values()) else weights


def _covered(hit: Hit, weights: Mapping[str, float]) -> float:
    """Return which share of those words, by how telling they are, the hit holds."""
    whole = sum(weights.values())
    if not whole:
        return 1.0
    tokens = frozenset(index_text(f"{hit.heading} {hit.text}").split())
    held = sum(weight for term, weight in weights.items() if _holds(tokens, term))
    return held / whole


def _named(reader: Reader, question: Question, scopes: Collection[str]) -> Mapping[str, str]:
    named = reader.named(keys_asked(question.text))
    if not named or len(named) > _MOST_NAMED:
        return {}
    standings = reader.standings(list(named))
    wanted = {scope.casefold() for scope in scopes}
    return {
        path: name
        for path, name in named.items()
        if (standing := standings.get(path)) is None
        or (
            standing.status not in PAST
            and (not wanted or not standing.scopes or not wanted.isdisjoint(standing.scopes))
        )
    }


def _are_far(hits: Sequence[Hit]) -> bool:
    """Whether no word of the question is known and nothing is near it by meaning either."""
    if any(hit.legs.lexical is not None for hit in hits):
        return False
    nearest = max((hit.legs.semantic or 0.0 for hit in hits), default=0.0)
    return 0.0 < nearest < _LEAST_ALONE


def _holds(tokens: frozenset[str], term: str) -> bool:
    if term in tokens:
        return True
    stem = term[: max(4, len(term) - _ENDING)]
    if len(stem) < 4 or not term.isalpha() or not term.isascii():
        return False
    near = (token for token in tokens if token.startswith(stem))
    return any(abs(len(token) - len(term)) <= _ENDING for token in near)


def _as_hit(chunk: IndexedChunk, why: str) -> Hit:
    return Hit(chunk.span, chunk.text, chunk.heading, chunk.date, 0.0, Legs(), why, chunk.role)
