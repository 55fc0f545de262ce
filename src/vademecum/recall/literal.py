"""The last resort: the question's text looked for in the files as they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from vademecum.core.ids import text_digest
from vademecum.core.notes import Span
from vademecum.core.search import Degradation, Hit, Legs

_MOST_CHARACTERS = 100_000_000
"""Text that is looked through: about a second."""


def literal_hits(
    asked: str, texts: Iterable[tuple[str, str]], limit: int
) -> tuple[tuple[Hit, ...], tuple[Degradation, ...]]:
    """Return the lines that hold `asked` as it is written, whatever the case."""
    wanted = _folded(asked).strip()
    wanted = wanted.strip("\"'“”„«»「」").strip() or wanted  # a quotation, or a quotation mark
    if not wanted:
        return (), ()
    hits: list[Hit] = []
    read = 0
    for path, text in texts:
        read += len(text)
        if read > _MOST_CHARACTERS:
            return tuple(hits), (Degradation("files", "there is too much text to read through"),)
        if wanted not in _folded(text):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if wanted in _folded(line):
                hits.append(_hit(path, number, line.rstrip("\r")))
                if len(hits) >= limit:
                    return tuple(hits), ()
    return tuple(hits), ()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _hit(path: str, number: int, line: str) -> Hit:
    return Hit(
        span=Span(path, number, number, text_digest(line)),
        text=line,
        heading="",
        date=None,
        score=0.0,
        legs=Legs(),
        why="the text stands there as it was asked",
    )
