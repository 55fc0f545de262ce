"""What every engine of the bundled model agrees on: prefixes, dimensions, readable text."""

from __future__ import annotations

import unicodedata

from vademecum.core.ports import Purpose

MODEL = "multilingual-e5-small"
DIMENSIONS = 384
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "

LONGEST_TEXT = 8_000
"""Characters of a text that are read; what follows has no part in the vector.

Chunks hold about 400 tokens (1,600 characters). Texts beyond the model's window of 512 tokens are
read in windows; this bound keeps the memory of the windows of one text under 150 MB.
"""

_REPLACED = {
    # The C engine reads text up to the first NUL.
    0: " ",
    # One character that normalises to eighteen, more than the C engine sets room aside for.
    0xFDFA: unicodedata.normalize("NFKC", "\ufdfa"),
}


def readable(text: str) -> str:
    """Return the text as both engines read it: bounded, without NUL and without lone surrogates."""
    bounded = text[:LONGEST_TEXT].translate(_REPLACED)[:LONGEST_TEXT]
    return bounded.encode("utf-8", "replace").decode("utf-8")


def is_query(purpose: Purpose) -> bool:
    """Return whether the purpose takes the query prefix; likeness takes it on both sides."""
    return purpose is not Purpose.PASSAGE
