"""What every engine of the bundled model agrees on: name, dimensions and prefixes."""

from __future__ import annotations

from vademecum.core.ports import Purpose

MODEL = "multilingual-e5-small"
DIMENSIONS = 384
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "


def is_query(purpose: Purpose) -> bool:
    """Return whether the purpose takes the query prefix; likeness takes it on both sides."""
    return purpose is not Purpose.PASSAGE
