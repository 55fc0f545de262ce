"""Exact matches: identifiers and names that hardly any chunk holds are never lost to neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from vademecum.core.frozen import dataclass
from vademecum.core.ports import ColumnWeights, IndexReader, KeywordQuery
from vademecum.recall.find import Words
from vademecum.recall.parse import Question

_FEW = 3
_MAYBE_FEW = 4 * _FEW
"""Frequencies count the neighbours' text as well, so a word in one chunk can be found in three."""
_KEPT_WITHIN = 3
_BODY = ColumnWeights(heading=0.0, date=0.0, near=0.0)


@dataclass(frozen=True, slots=True)
class Exact:
    """Chunks that hold something of the question that at most a few hold.

    Those of `leading` go to the front: an identifier, or the only word that was asked. Of the
    others (names inside a longer question) the best stays among the first.
    """

    found: Mapping[int, str]
    leading: frozenset[int] = frozenset()


def exact_matches(reader: IndexReader, question: Question, words: Words) -> Exact:
    """Look up whatever of the question stands in at most a few chunks."""
    found: dict[int, str] = {}
    leading: set[int] = set()
    for asked, leads, query in _rare(question, words):
        hits = reader.keyword_hits(query, _FEW + 1)
        if len(hits) <= _FEW:
            for hit in hits:
                found.setdefault(hit.chunk, asked)
            if leads:
                leading.update(hit.chunk for hit in hits)
    return Exact(found, frozenset(leading))


def _rare(question: Question, words: Words) -> Iterator[tuple[str, bool, KeywordQuery]]:
    for phrase in words.query.phrases:
        yield " ".join(phrase), True, KeywordQuery((), (phrase,), weights=_BODY)
    names = names_in(question.text)
    terms = words.query.terms
    for term in terms:
        leads = len(terms) == 1 or _is_identifier(term)
        if words.frequency.get(term, 0) <= _MAYBE_FEW and (leads or term in names):
            yield term, leads, KeywordQuery((term,), weights=_BODY)


def names_in(text: str) -> frozenset[str]:
    """Return the capitalised words that do not begin the question, casefolded."""
    words = re.findall(r"\w+", text)
    return frozenset(word.casefold() for word in words[1:] if word[0].isupper())


def _is_identifier(term: str) -> bool:
    """Whether a term is letters and digits mixed, or a long number; years and amounts are not."""
    digits = sum(character.isdigit() for character in term)
    return 0 < digits < len(term) and len(term) >= 3 or digits >= 5


def exact_first(order: Sequence[int], exact: Exact) -> list[int]:
    """Return the order with exact matches in their places."""
    if not exact.found:
        return list(order)
    top = [chunk for chunk in order if chunk in exact.leading]
    rest = [chunk for chunk in order if chunk not in exact.leading]
    at = next((place for place, chunk in enumerate(rest) if chunk in exact.found), 0)
    if at >= _KEPT_WITHIN:
        rest.insert(_KEPT_WITHIN - 1, rest.pop(at))
    return top + rest
