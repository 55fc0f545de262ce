"""Texts that commands take: from arguments or from standard input."""

from __future__ import annotations

import sys

from vademecum.core.errors import InvalidText


def joined(words: tuple[str, ...]) -> str:
    """Return the text of an argument; several words are joined, a lone `-` is standard input.

    Raises InvalidText where standard input is closed or not UTF-8.
    """
    if words != ("-",):
        return " ".join(words)
    if sys.stdin is None:
        raise InvalidText("Standard input is closed.", hint="Pipe the text in, or give it here.")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(
            f"Standard input is not UTF-8 (byte {error.start}).",
            hint="Convert it, for example with `iconv -t utf-8`.",
        ) from None
