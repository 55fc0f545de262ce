"""Text to token ids of the bundled model: its normalisation and its unigram vocabulary.

The most probable cut of a text into pieces is the one whose log probabilities sum highest (Kudo,
2018, "Subword Regularization"), found from left to right (Viterbi). No piece reaches over the start
of a word, so each word is cut on its own and frequent words are cut once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vademecum.backends.embedders.e5_file import Vocabulary

_WORD_START = "\u2581"
_SPACES = re.compile(" {2,}")
_REMEMBERED_WORDS = 50_000
_REMEMBERED_LENGTH = 32
_UNKNOWN_PENALTY = 10.0


class Unigram:
    """A tokenizer that gives the ids that the compiled engine of the same model gives."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._ids = {piece: number for number, piece in enumerate(vocabulary.pieces)}
        del self._ids[vocabulary.pieces[vocabulary.unknown]]
        self._longest = max(map(len, vocabulary.pieces))
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._words: dict[str, list[int]] = {}

    def windows(self, text: str, length: int) -> Iterator[list[int]]:
        """Yield the ids of a text in windows of at most `length`, each with its two ends."""
        ids = self._content(text)
        room = length - 2
        for start in range(0, max(len(ids), 1), room):
            yield [
                self._vocabulary.begin,
                *ids[start : start + room],
                self._vocabulary.end,
            ]

    def _content(self, text: str) -> list[int]:
        normal = _SPACES.sub(" ", text.translate(self._vocabulary.replacements))
        ids: list[int] = []
        for word in normal.removeprefix(" ").split(" "):
            ids.extend(self._word(word))
        return ids

    def _word(self, word: str) -> list[int]:
        known = self._words.get(word)
        if known is not None:
            return known
        ids = self._cut(_WORD_START + word)
        if len(word) <= _REMEMBERED_LENGTH:
            if len(self._words) >= _REMEMBERED_WORDS:
                self._words.clear()
            self._words[word] = ids
        return ids

    def _cut(self, word: str) -> list[int]:
        size = len(word)
        best = [0.0, *[float("-inf")] * size]
        piece_at = [self._vocabulary.unknown] * (size + 1)
        start_at = [0] * (size + 1)
        scores, find = self._vocabulary.scores, self._ids.get
        for start in range(size):
            here = best[start]
            for end in range(start + 1, min(start + self._longest, size) + 1):
                number = find(word[start:end])
                if number is not None and here + scores[number] > best[end]:
                    best[end] = here + scores[number]
                    piece_at[end], start_at[end] = number, start
            if here + self._unknown_score > best[start + 1]:
                best[start + 1] = here + self._unknown_score
                piece_at[start + 1], start_at[start + 1] = self._vocabulary.unknown, start
        ids: list[int] = []
        end = size
        while end > 0:
            ids.append(piece_at[end])
            end = start_at[end]
        ids.reverse()
        return ids
