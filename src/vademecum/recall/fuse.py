"""One score from two legs: weighted, on scales that no size of index shifts, or by rank."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.core.frozen import dataclass
from vademecum.recall.find import Candidates

_SPAN = 5.5
"""Deviations above the usual that count as a full match by meaning."""
_LEAST_COVERED = 0.5
"""Share of what a perfect match could score below which the best match by words is no full one."""
_RANK_CONSTANT = 10
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009); 60 there, 10 measured better."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each leg counts; only their ratio matters."""

    semantic: float = 0.6
    keyword: float = 0.4

    def of_known(self, embedded: float) -> Weights:
        """Return the weights where only that share of all chunks has a vector.

        While vectors are made, the few that have one would else stand before all that fit better.
        """
        return self if embedded >= 1.0 else Weights(self.semantic * embedded, self.keyword)


@dataclass(frozen=True, slots=True)
class Matches:
    """Both legs' scores on a common scale, where 1 is a full match; absent where not proposed."""

    lexical: Mapping[int, float]
    semantic: Mapping[int, float]


def on_one_scale(candidates: Candidates) -> Matches:
    """Put both legs on one scale.

    Words: the score in parts of the best one, or of half of what a chunk with every word could
    score if that is more, so that a single stray word in common is no full match. Meaning: how many
    deviations a cosine lies above that of chunks taken at random.
    """
    best = max(candidates.lexical.values(), default=0.0)
    full = max(best, _LEAST_COVERED * candidates.words.possible) or 1.0
    usual = candidates.usual
    return Matches(
        {chunk: score / full for chunk, score in candidates.lexical.items()},
        {
            chunk: (score - usual.mean) / (usual.deviation * _SPAN)
            for chunk, score in candidates.semantic.items()
        },
    )


def weighted(matches: Matches, weights: Weights) -> dict[int, float]:
    """Return the weighted sum; what a leg did not propose is as far as the last that it did."""
    whole = weights.semantic + weights.keyword or 1.0
    semantic, lexical = weights.semantic / whole, weights.keyword / whole
    floor = min(matches.semantic.values(), default=0.0)
    return {
        chunk: semantic * matches.semantic.get(chunk, floor)
        + lexical * matches.lexical.get(chunk, 0.0)
        for chunk in dict.fromkeys([*matches.lexical, *matches.semantic])
    }


def by_rank(matches: Matches, weights: Weights) -> dict[int, float]:
    """Return the weighted reciprocal ranks, 1 for a chunk that is first on both legs."""
    whole = weights.semantic + weights.keyword or 1.0
    fused: dict[int, float] = {}
    for scores, weight in (
        (matches.lexical, weights.keyword),
        (matches.semantic, weights.semantic),
    ):
        ordered = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
        for rank, chunk in enumerate(ordered):
            share = (_RANK_CONSTANT + 1) / (_RANK_CONSTANT + 1 + rank)
            fused[chunk] = fused.get(chunk, 0.0) + weight / whole * share
    return fused
