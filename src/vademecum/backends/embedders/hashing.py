"""A deterministic embedder without a model: hashed words and character n-grams."""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from collections.abc import Iterator, Sequence

from vademecum.backends.embedders.vectors import unit
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector

DEFAULT_DIMENSIONS = 256
_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 2.0
_GRAM_LENGTHS = (2, 3)


class HashingEmbedder:
    """Vectors from spelling alone: texts that share words or parts of words are near.

    It knows no meaning and needs nothing, answers the same on every machine and in every
    release of Python, and ignores the purpose. Meant for tests and for tiny installations.
    """

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        if dimensions < 2:
            raise ValueError("a hashing embedder needs at least two dimensions")
        self._identity = EmbedderIdentity(
            provider="hashing",
            model="word-and-character-ngrams-1",
            dimensions=dimensions,
            query_prefix="",
            passage_prefix="",
        )

    @property
    def identity(self) -> EmbedderIdentity:
        """Return what made the vectors; equal identities give equal vectors."""
        return self._identity

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:  # noqa: ARG002  port
        """Return one unit vector a text, in order."""
        return [self._embed_one(text) for text in texts]

    def close(self) -> None:
        """Nothing is held open."""

    def _embed_one(self, text: str) -> Vector:
        vector = array("f", bytes(4 * self._identity.dimensions))
        for feature, weight in _features(text):
            digest = zlib.crc32(feature.encode("utf-8", "replace"))
            sign = 1.0 if digest & 0x80000000 else -1.0
            vector[digest % self._identity.dimensions] += sign * weight
        if not any(vector):
            # A text without words still needs a direction: all of them share the first axis.
            vector[0] = 1.0
        return unit(vector)


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        yield word, _WORD_WEIGHT
        framed = f"<{word}>"
        for length in _GRAM_LENGTHS:
            for start in range(len(framed) - length + 1):
                yield framed[start : start + length], 1.0
