"""How many tokens a text is likely to have, and where a text that has too many is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WIDE = re.compile(
    "[\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_LATIN_SIGNS = 4
_OTHER_SIGNS = 2.5
# A sentence, a line, a clause, a word: the first boundary that is near enough to the limit wins.
_BOUNDARIES = (
    re.compile("[.!?]+[\"')\\]]*\\s+|[\u3002\uff01\uff1f\u061f\u0964]+[\u300d\u300f\u201d]*|\n+"),
    re.compile("[,;:\uff0c\u3001\uff1b\uff1a]\\s*"),
    re.compile(r"\s+"),
)
_NEAR = 0.5


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a multilingual model cuts `text` into; 0 for an empty text.

    Four characters a token for ASCII, two and a half for other alphabets, one for each Han, kana
    and Hangul character.
    """
    if not text:
        return 0
    if text.isascii():
        return (len(text) + 3) // _LATIN_SIGNS
    wide = len(_WIDE.findall(text))
    plain = len(text.encode("ascii", "ignore"))
    return int(wide + plain / _LATIN_SIGNS + (len(text) - wide - plain) / _OTHER_SIGNS) or 1


def pieces(text: str, tokens: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Yield offsets of pieces of at most about `tokens`, each reaching `overlap` into the last one.

    Every character is in a piece; cuts are at the ends of sentences or lines where there are some,
    else at clauses, words, and at last anywhere.
    """
    start = 0
    while start < len(text):
        limit = _reach(text, start, tokens)
        if limit >= len(text):
            yield start, len(text)
            return
        stop = _boundary(text, start, limit)
        yield start, stop
        back = stop - _width(text, start, stop, overlap)
        start = max(_forward(text, back, stop), start + 1)


def _reach(text: str, start: int, tokens: int) -> int:
    """Return the offset at which `tokens` are used up; one token has at most four characters."""
    window = text[start : start + tokens * _LATIN_SIGNS]
    while (estimate := estimate_tokens(window)) > tokens:
        shorter = int(len(window) * tokens / estimate)
        window = window[: min(shorter, len(window) - 1)]
    return start + max(len(window), 1)


def _boundary(text: str, start: int, limit: int) -> int:
    floor = start + int((limit - start) * _NEAR)
    for pattern in _BOUNDARIES:
        best = 0
        for match in pattern.finditer(text, floor, limit):
            best = match.end()
        if best > start:
            return best
    return limit


def _width(text: str, start: int, stop: int, overlap: int) -> int:
    """Return how many characters before `stop` are about `overlap` tokens, half at most."""
    length = stop - start
    share = overlap / max(estimate_tokens(text[start:stop]), 1)
    return int(length * min(share, 0.5))


def _forward(text: str, start: int, stop: int) -> int:
    """Return the first start of a word between `start` and `stop`, else `start`."""
    match = _BOUNDARIES[2].search(text, start, stop)
    return match.end() if match and match.end() < stop else start
