"""Marks of log entries that were gathered from another agent's memory: whose, and which."""

from __future__ import annotations

from vademecum.core.ids import text_digest
from vademecum.core.patterns import later

_MARK = later(r"\bgathered ([0-9a-f]{12})-([0-9a-f]{8})\b")
_WORD = later(r"\bgathered(?= [0-9a-f]{12}-[0-9a-f]{8}\b)")


def mark_of(place: str, text: str) -> tuple[str, str]:
    """Return the mark of what stands at a place: what the place has lasts, the text may change."""
    return text_digest(place)[:12], text_digest(" ".join(text.split()))[:8]


def rendered(mark: tuple[str, str]) -> str:
    """Return a mark as it stands in an entry."""
    return f"gathered {mark[0]}-{mark[1]}"


def marks_in(text: str) -> list[tuple[str, str]]:
    """Return the marks that stand in a log, in order."""
    return [(found[1], found[2]) for found in _MARK.finditer(text)]


def is_gathered(text: str) -> bool:
    """Whether an entry is another agent's word: it proves no more than that."""
    return _MARK.search(text) is not None


def without_marks(text: str) -> str:
    """Return a text in which nothing reads as a mark; words and lines stay as they are."""
    return _WORD.sub("gathered:", text)
