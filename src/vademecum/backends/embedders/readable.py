"""Text as every embedder reads it: bounded, and free of what no model or wire can carry."""

from __future__ import annotations

import unicodedata

LONGEST_TEXT = 8_000
"""Characters of a text that are read; what follows has no part in the vector.

Chunks hold about 400 tokens (1,600 characters). The bound keeps the memory that the bundled model
takes for one text under 150 MB, and a text within the 8,192 tokens that remote models accept.
"""

_REPLACED = {
    # The compiled engine reads text up to the first NUL, and servers refuse it.
    0: " ",
    # One character that normalises to eighteen: the compiled engine sets room for twelve aside and
    # would write past its buffer.
    0xFDFA: unicodedata.normalize("NFKC", "\ufdfa"),
}


def readable(text: str) -> str:
    """Return the text bounded, without NUL and without lone surrogates; possibly empty."""
    bounded = text[:LONGEST_TEXT].translate(_REPLACED)[:LONGEST_TEXT]
    return bounded.encode("utf-8", "replace").decode("utf-8")
