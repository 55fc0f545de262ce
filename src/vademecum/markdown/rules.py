"""By which rules notes are cut."""

from __future__ import annotations

from typing import Literal

from vademecum.core.frozen import dataclass

CHUNKER_VERSION = 3
"""Raise it whenever the same note would give other chunks, vectors or keys of claims; indexes are
then rebuilt."""


@dataclass(frozen=True, slots=True)
class ChunkRules:
    """How notes are cut. `unit` is `line` (the smallest meaningful piece) or `section`."""

    tokens: int = 400
    overlap: int = 80
    unit: Literal["line", "section"] = "line"
