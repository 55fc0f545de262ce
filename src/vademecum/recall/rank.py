"""The order of hits: what the question names, what stands around, exact matches kept on top."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from vademecum.core.frozen import dataclass
from vademecum.core.roles import Role
from vademecum.core.search import IndexedChunk
from vademecum.recall.exact import Exact, exact_first, names_in
from vademecum.recall.explain import shared_words
from vademecum.recall.find import Candidates
from vademecum.recall.fuse import Matches
from vademecum.recall.parse import Question
from vademecum.workspace.profiles.profile import is_backup

_SPEAKER_BONUS = 0.36
_NAME_BONUS = 0.15
"""For a line of a note that holds every name of the question: lines of one pattern about other
things match as well by their words."""
_CURATED = (Role.CONCEPT, Role.CORE)
_DAY_BONUS = 0.82
_MONTH_BONUS = 0.41
_SECTION_SHARE = 0.2
_NEARLY = 0.02
"""Of a full match: so much better a hit has to be, to stand before one of a warmer note."""
_LOOKED_AT = 10
"""First hits whose notes' temperature may be asked for: it is read from the files."""
Warmth = Callable[[Sequence[str]], Mapping[str, float]]
"""The temperature (0 to 1) of each of those notes."""
_SPEAKER = re.compile(r"\s*(?:[-*+]\s+)?(?:\[[^\]]{1,20}\]\s*)?\*\*([^*:：\n]{1,40})[:：]?\*\*")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk in its place; `reasons` say what moved it."""

    chunk: IndexedChunk
    score: float
    lexical: float | None
    """In parts of a full match by words, None where that leg did not propose it."""
    semantic: float | None
    """In parts of a full match by meaning."""
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """What a chunk gains by what the question names."""

    bonus: float
    reasons: tuple[str, ...]


_UNMOVED = Moved(0.0, ())


def rank(
    question: Question,
    candidates: Candidates,
    matches: Matches,
    fused: Mapping[int, float],
    chunks: Mapping[int, IndexedChunk],
    *,
    smoothing: float,
    exact: Exact,
    limit: int,
    warmth: Warmth | None = None,
) -> list[Ranked]:
    """Return the best `limit` of `chunks` in order; of equal passages only the best.

    Of hits that match about equally well, those of warmer notes come first where `warmth` is given,
    unless the question names a day.
    """
    named = _Named(question.text)
    moved = {chunk: _moved(question, named, chunks[chunk]) for chunk in chunks}
    scores = {chunk: fused[chunk] + moved[chunk].bonus for chunk in moved}
    scores = _in_context(scores, chunks, smoothing)
    order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    cooler: frozenset[int] = frozenset()
    if warmth is not None and not question.days:
        order, cooler = _warmer_first(order, scores, chunks, warmth)
    order = _backups_last(exact_first(order, exact), chunks)
    return [
        Ranked(
            chunk=chunks[chunk],
            score=scores[chunk],
            lexical=matches.lexical.get(chunk),
            semantic=matches.semantic.get(chunk),
            reasons=_reasons(chunks[chunk], candidates, moved[chunk], exact)
            + (("behind what is warmer",) if chunk in cooler else ()),
        )
        for chunk in islice(_distinct(order, chunks), limit)
    ]


# ------------------------------------------------------------------ what the question names


class _Named(dict[str, bool]):
    """Whether the question names a speaker, looked up once for each."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question
        self.names = names_in(question)

    def __missing__(self, speaker: str) -> bool:
        self[speaker] = is_named(speaker, self._question)
        return self[speaker]


def _moved(question: Question, named: _Named, chunk: IndexedChunk) -> Moved:
    bonus, reasons = 0.0, []
    speaker = speaker_of(chunk.text)
    if speaker and named[speaker]:
        bonus += _SPEAKER_BONUS
        reasons.append(f"said by {speaker}")
    if named.names and chunk.role in _CURATED:
        said = f"{chunk.heading} {chunk.text}".casefold()
        share = sum(name in said for name in named.names) / len(named.names)
        bonus += _NAME_BONUS * share
    if chunk.date is not None and question.days:
        gains = [
            when.closeness(chunk.date) * (_DAY_BONUS if when.exact else _MONTH_BONUS)
            for when in question.days
        ]
        if max(gains) > 0:
            bonus += max(gains)
            reasons.append(f"of {chunk.date.isoformat()}, near the time asked about")
    return Moved(bonus, tuple(reasons)) if bonus else _UNMOVED


def speaker_of(text: str) -> str:
    """Return the name in bold that a line of a conversation begins with, or an empty string."""
    match = _SPEAKER.match(text)
    return match[1].strip() if match else ""


def is_named(name: str, question: str) -> bool:
    """Whether the question holds the name, or its first word, as a word of its own."""
    asked = question.casefold()
    whole = name.casefold()
    return any(
        re.search(rf"(?<!\w){re.escape(part)}(?!\w)" if part.isascii() else re.escape(part), asked)
        for part in dict.fromkeys((whole, whole.split()[0]))
        if len(part) > 1
    )


# ------------------------------------------------------------------ what stands around


def _in_context(
    scores: Mapping[int, float], chunks: Mapping[int, IndexedChunk], smoothing: float
) -> dict[int, float]:
    """Return scores with a share of both neighbours' and of the best of the section.

    A share is of what lies above the least; that itself is added again, so that a lone good match
    is not told as none. No order depends on it.
    """
    least = min(scores.values(), default=0.0)
    above = {chunk: score - least for chunk, score in scores.items()}
    smooth = {
        chunk: score + smoothing * _around(chunk, above, chunks) for chunk, score in above.items()
    }
    best: dict[tuple[str, int], float] = {}
    for chunk, score in smooth.items():
        section = _section(chunks[chunk])
        best[section] = max(score, best.get(section, 0.0))
    floor = max(least, 0.0)
    return {
        chunk: floor + score + _SECTION_SHARE * best[_section(chunks[chunk])]
        for chunk, score in smooth.items()
    }


def _around(chunk: int, scores: Mapping[int, float], chunks: Mapping[int, IndexedChunk]) -> float:
    """Return what both neighbours score together.

    The first and the last claim of a note have one neighbour, which counts for both: where a claim
    stands says nothing of it.
    """
    near = tuple(_beside(chunk, scores, chunks))
    alone = len(near) == 1 and chunks[chunk].role in _CURATED
    return 2 * near[0] if alone else sum(near)


def _beside(
    chunk: int, scores: Mapping[int, float], chunks: Mapping[int, IndexedChunk]
) -> Iterator[float]:
    for neighbour in (chunk - 1, chunk + 1):  # ids of a note follow each other
        if neighbour in scores and _section(chunks[neighbour]) == _section(chunks[chunk]):
            yield scores[neighbour]


def _section(chunk: IndexedChunk) -> tuple[str, int]:
    return chunk.span.path, chunk.section


# ------------------------------------------------------------------ what is warm


def _warmer_first(
    order: Sequence[int],
    scores: Mapping[int, float],
    chunks: Mapping[int, IndexedChunk],
    warmth: Warmth,
) -> tuple[list[int], frozenset[int]]:
    """Return the order with warmer notes before what matches about as well, and what fell back."""
    top = list(order[:_LOOKED_AT])
    paths = [chunks[chunk].span.path for chunk in top]
    close = {
        path
        for place in range(1, len(top))
        if paths[place] != paths[place - 1]
        and scores[top[place - 1]] - scores[top[place]] < _NEARLY
        for path in (paths[place - 1], paths[place])
    }
    if not close:
        return list(order), frozenset()
    found = warmth(sorted(close))
    cold = {
        chunk: _NEARLY * (1.0 - found.get(path, 1.0))
        for chunk, path in zip(top, paths, strict=True)
    }
    after = sorted(top, key=lambda chunk: cold[chunk] - scores[chunk])  # stable where equal
    fell = (chunk for place, chunk in enumerate(after) if top.index(chunk) < place)
    return [*after, *order[_LOOKED_AT:]], frozenset(fell)


# ------------------------------------------------------------------ in the end


def _backups_last(order: Sequence[int], chunks: Mapping[int, IndexedChunk]) -> list[int]:
    """Return the order with lines of backups inside of the tree behind all that is lived in."""

    def is_copy(chunk: int) -> bool:
        return chunks[chunk].role is Role.ARCHIVE and is_backup(chunks[chunk].span.path)

    return sorted(order, key=is_copy)


def _distinct(order: Sequence[int], chunks: Mapping[int, IndexedChunk]) -> Iterator[int]:
    seen: set[str] = set()
    for chunk in order:
        digest = chunks[chunk].digest
        if digest not in seen:
            seen.add(digest)
            yield chunk


def _reasons(
    chunk: IndexedChunk, candidates: Candidates, moved: Moved, exact: Exact
) -> tuple[str, ...]:
    held = exact.found.get(chunk.id)
    reasons = [f"holds {held}"] if held else []
    if chunk.id in candidates.lexical:
        shared = shared_words(chunk, candidates.words)
        reasons.append(f"words: {', '.join(shared)}" if shared else "words around it")
    if chunk.id in candidates.semantic:
        reasons.append(f"meaning: cosine {candidates.semantic[chunk.id]:.2f}")
    return (*reasons, *moved.reasons)
