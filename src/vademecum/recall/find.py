"""Candidates for a question: the best chunks by words, by meaning, and of the days it names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.frozen import dataclass
from vademecum.core.ports import ColumnWeights, Embedder, IndexReader, KeywordQuery, Purpose, Vector
from vademecum.core.search import Degradation, ScoredChunk
from vademecum.markdown.tokens import Term
from vademecum.recall.parse import Question

Leg = Literal["keyword", "semantic"]

MOST_TERMS = 64
_EVERYWHERE, _FREQUENT = 0.5, 0.1
_MANY_CHUNKS = 20_000
"""From here on frequent terms are dropped while rarer ones remain: they cost more than they say."""
_NEAREST = 0.6
"""Of the breadth: what lies farther by meaning adds little but the time of its exact cosine."""
_SAMPLE = 48
_MOST_SPREAD = 16
"""Every change of a note gives new ids: so many times the sample is asked for where they spread."""
_PRIOR_DEVIATION, _PRIOR_COUNT = 0.0155, 20
"""Of cosines in a corpus of ordinary notes; steadies the estimate where there are few chunks."""
_GRAM_SHARE = 0.5
"""Overlapping pairs repeat each other, so each counts half in what a perfect match could score."""


@dataclass(frozen=True, slots=True)
class Usual:
    """How close chunks are to the question that have nothing to do with it."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Words:
    """The words that are looked for, and the score of a chunk that holds each once."""

    query: KeywordQuery
    possible: float
    frequency: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that either leg proposes, by id, with the scores of the legs that proposed them."""

    lexical: Mapping[int, float]
    semantic: Mapping[int, float]
    words: Words
    usual: Usual
    degraded: tuple[Degradation, ...] = ()
    embedded: float = 1.0
    """Share of all chunks that have a vector: of the others nothing is known by meaning."""


def find(
    reader: IndexReader,
    embedder: Embedder | None,
    question: Question,
    *,
    leg: Leg | None = None,
    breadth: int = 200,
) -> Candidates:
    """Ask for `breadth` chunks by words and for the nearest three fifths as many by meaning.

    A leg that cannot answer is named in `degraded`.
    """
    counts = reader.counts()
    total = counts.chunks
    words = _words(reader, question, total)
    lexical = {} if leg == "semantic" else _lexical(reader, question, words, breadth)
    semantic: dict[int, float] = {}
    usual = Usual(0.0, _PRIOR_DEVIATION)
    degraded: tuple[Degradation, ...] = ()
    if leg != "keyword" and embedder is not None:
        vector, degraded = _embedded(embedder, question)
        if vector is not None:
            semantic = _scores(reader.vector_hits(vector, max(1, round(breadth * _NEAREST))))
            usual = _usual(reader, vector, total, max([total, *lexical, *semantic]))
    share = counts.embedded / total if total else 1.0
    return Candidates(lexical, semantic, words, usual, degraded, min(1.0, share))


def _scores(hits: Sequence[ScoredChunk]) -> dict[int, float]:
    return {hit.chunk: hit.score for hit in hits}


# ------------------------------------------------------------------ by words


def _words(reader: IndexReader, question: Question, total: int) -> Words:
    terms = [term for term in question.terms.terms if term.kind != "prefix"]
    prefixes = tuple(term.text for term in question.terms.terms if term.kind == "prefix")
    frequency = reader.document_frequency(list(dict.fromkeys(term.text for term in terms)))
    kept = _telling(terms, frequency, total)
    possible = sum(
        (_GRAM_SHARE if term.kind == "gram" else 1.0) * _idf(frequency[term.text], total)
        for term in kept
    )
    texts = tuple(dict.fromkeys(term.text for term in kept))
    return Words(KeywordQuery(texts, question.terms.phrases, prefixes), possible, frequency)


def _telling(terms: list[Term], frequency: Mapping[str, int], total: int) -> list[Term]:
    """Return the terms worth asking for, the rarest first where there are too many."""
    found = [term for term in terms if frequency[term.text]]
    found = sorted(found, key=lambda term: frequency[term.text])[:MOST_TERMS]
    kept = [term for term in found if frequency[term.text] <= total * _EVERYWHERE] or found
    if total >= _MANY_CHUNKS:
        rare = [term for term in kept if frequency[term.text] <= total * _FREQUENT]
        kept = rare if len(rare) >= 2 else kept
    return kept


def _idf(frequency: int, total: int) -> float:
    """As FTS5 weighs a term (Robertson and Spärck Jones 1976), never below zero."""
    return max(0.0, math.log((total - frequency + 0.5) / (frequency + 0.5)))


def _lexical(
    reader: IndexReader, question: Question, words: Words, breadth: int
) -> dict[int, float]:
    found = _scores(reader.keyword_hits(words.query, breadth))
    days = tuple(phrase for when in question.days for phrase in when.phrases())
    if days and len(found) == breadth:
        # Those of the days meant may stand far down a long list. The day itself scores nothing
        # here, so that both lists measure alike.
        weights = ColumnWeights(date=0.0)
        dated = replace(words.query, days=days, weights=weights)
        for hit in reader.keyword_hits(dated, breadth // 2):
            found.setdefault(hit.chunk, hit.score)
    return found


# ------------------------------------------------------------------ by meaning


def _embedded(
    embedder: Embedder, question: Question
) -> tuple[Vector | None, tuple[Degradation, ...]]:
    try:
        return embedder.embed([question.text], Purpose.QUERY)[0], ()
    except EmbedderUnavailable as error:
        return None, (Degradation("meaning", str(error), error.hint),)


def _usual(reader: IndexReader, vector: Vector, total: int, last: int) -> Usual:
    """Look at chunks spread over all ids up to `last`; of an old index most are not in use."""
    spread = max(1, min(_MOST_SPREAD, last // max(1, total)))
    wanted = _SAMPLE * spread
    step = max(1, last // wanted if spread == 1 else math.ceil(last / wanted))
    hits = reader.vector_hits(vector, wanted, among=range(1, last + 1, step)[:wanted])
    if not hits:
        return Usual(0.0, _PRIOR_DEVIATION)
    scores = [hit.score for hit in hits]
    mean = sum(scores) / len(scores)
    squares = sum((score - mean) ** 2 for score in scores) + _PRIOR_COUNT * _PRIOR_DEVIATION**2
    return Usual(mean, math.sqrt(squares / (len(scores) + _PRIOR_COUNT)))
