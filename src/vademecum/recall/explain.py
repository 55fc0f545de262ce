"""Why a hit is there: the words of the question that stand in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from vademecum.core.patterns import later
from vademecum.core.search import IndexedChunk
from vademecum.recall.find import Words

_WORD = later(r"[^\W_]+")
_SHOWN = 8
_ENDING = 3
"""Letters by which two forms of a word may differ at their ends; only for showing."""


def shared_words(chunk: IndexedChunk, words: Words) -> list[str]:
    """Return what of the question the chunk's own text or heading holds, a few words at most.

    This is for people to read; what matched was decided by the index.
    """
    said = unicodedata.normalize("NFKC", f"{chunk.heading} {chunk.text}").casefold()
    tokens = set(_WORD.findall(said))
    shared = [term for term in words.query.terms if _holds(said, tokens, term)]
    shared += [prefix for prefix in words.query.prefixes if prefix in said]
    return list(_runs(shared))[:_SHOWN]


def _holds(said: str, tokens: set[str], term: str) -> bool:
    if term in tokens:
        return True
    if not term.isascii():
        return term in said
    stem = term[: max(4, len(term) - _ENDING)]
    if len(stem) < 4 or stem not in said:
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
