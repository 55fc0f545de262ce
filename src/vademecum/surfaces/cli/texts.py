"""Texts that commands take: from arguments or from standard input."""

from __future__ import annotations

import sys

from vademecum.core.errors import InvalidText

_LONGEST = 64_000_000
"""Bytes of standard input: far above what any note may have, below what memory can take."""


def joined(words: tuple[str, ...]) -> str:
    """Return the text of an argument; several words are joined, a lone `-` is standard input.

    Raises InvalidText where standard input is closed, endless or not UTF-8.
    """
    if words != ("-",):
        return " ".join(words)
    if sys.stdin is None:
        raise InvalidText("Standard input is closed.", hint="Pipe the text in, or give it here.")
    data = sys.stdin.buffer.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise InvalidText(
            f"Standard input has more than {_LONGEST:,} bytes.",
            hint="Keep it in a file of its own, and say here what it is.",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(
            f"Standard input is not UTF-8 (byte {error.start}).",
            hint="Convert it, for example with `iconv -t utf-8`.",
        ) from None
