"""Cutting text as FTS5 cuts it, where no file is."""

from __future__ import annotations

import apsw

from vademecum.markdown.tokens import FTS5_TOKENIZER


class Tokenizer:
    """FTS5's own: the same folding and stemming as where the text is in a file."""

    def __init__(self) -> None:
        head, _, categories = FTS5_TOKENIZER.partition(" categories ")
        name, *arguments = head.split()
        self._engine = apsw.Connection(":memory:")
        self._cut = self._engine.fts5_tokenizer(
            name, [*arguments, "categories", categories.strip("'")]
        )

    def __call__(self, text: str) -> list[str]:
        found = self._cut(
            text.encode("utf-8", "replace"),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return [str(token) for token in found]
