"""Why a hit is there: the words of the question that stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.search import IndexedChunk
from vademecum.markdown.tokens import index_text
from vademecum.recall.find import Words

_SHOWN = 8
_ENDING = 3
"""Letters by which two forms of a word may differ at their ends; only for showing."""


def shared_words(chunk: IndexedChunk, words: Words) -> list[str]:
    """Return what of the question the chunk's own text or heading holds, a few words at most."""
    tokens = set(index_text(f"{chunk.heading} {chunk.text}").split())
    shared = [term for term in words.query.terms if _holds(tokens, term)]
    shared += [
        prefix for prefix in words.query.prefixes if any(one.startswith(prefix) for one in tokens)
    ]
    return list(_runs(shared))[:_SHOWN]


def _holds(tokens: set[str], term: str) -> bool:
    if term in tokens:
        return True
    stem = term[: max(4, len(term) - _ENDING)]
    if len(stem) < 4 or not term.isalpha() or not term.isascii():
        return False
    return any(
        token.startswith(stem) and abs(len(token) - len(term)) <= _ENDING for token in tokens
    )


def _runs(shared: Sequence[str]) -> Iterator[str]:
    """Join pairs that overlap into the run of characters that they were cut from."""
    run = ""
    for word in shared:
        if run and len(word) == 2 and not word.isascii() and run[-1] == word[0]:
            run += word[1]
            continue
        if run:
            yield run
        run = word
    if run:
        yield run
