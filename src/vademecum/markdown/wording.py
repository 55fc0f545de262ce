"""When two texts are the same words, and where a text stands in another."""

from __future__ import annotations

import re
import unicodedata

from vademecum.core.patterns import later

_ENDS = " .!?;。！？；"
SHORTEST = 10
"""Bytes of UTF-8 that a text needs to be looked for inside of lines; a shorter one is a whole."""


def words_of(text: str) -> str:
    """Return what two texts have to share to be the same words: no case, width or blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def key_of(text: str) -> str:
    """Return `words_of` the text without what ends a sentence."""
    return words_of(text).strip(_ENDS)


def occurrences(text: str, *, shortest: int = SHORTEST) -> re.Pattern[str] | None:
    """Return a pattern that finds a text inside others, in any case and over line breaks.

    None for a text of less than `shortest` bytes, which would be found in what is about other
    things, and for one without words.
    """
    words = text.strip(_ENDS).split()
    if len("".join(words).encode("utf-8", "replace")) < max(1, shortest):
        return None
    joined = r"(?:\s+|\s*\n[ \t>*+-]*)".join(re.escape(word) for word in words)
    before = r"(?<![^\W_])" if words[0][0].isascii() and words[0][0].isalnum() else ""
    after = r"(?![^\W_])" if words[-1][-1].isascii() and words[-1][-1].isalnum() else ""
    return later(before + joined + after, re.IGNORECASE)
