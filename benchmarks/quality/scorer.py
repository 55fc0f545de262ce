"""Metrics over line ranges: is the evidence found, how early, and within how much text.

Evidence and results are ranges of lines of a file, first and last included. A result covers an item
of evidence when it holds all its lines (`overlap`: shares one).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_HEADING = re.compile(r"#{1,3}\s")


@dataclass(frozen=True, slots=True)
class Lines:
    """A range of lines of one file."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the lines that answer it; `stale` lines held an earlier answer."""

    workspace: str
    text: str
    evidence: tuple[Lines, ...]
    stale: tuple[Lines, ...] = ()
    kind: str = ""


Covers = Callable[[Lines, Lines], bool]


def holds(result: Lines, item: Lines) -> bool:
    """Whether the result has every line of the item."""
    return result.path == item.path and result.first <= item.first and item.last <= result.last


def touches(result: Lines, item: Lines) -> bool:
    """Whether both share a line."""
    return result.path == item.path and result.first <= item.last and item.first <= result.last


def first_ranks(
    results: Sequence[Lines], items: Sequence[Lines], covers: Covers = holds
) -> dict[int, int]:
    """Return for each item that is covered the rank (from 1) of the first result that does."""
    ranks: dict[int, int] = {}
    for rank, result in enumerate(results, 1):
        for number, item in enumerate(items):
            if number not in ranks and covers(result, item):
                ranks[number] = rank
    return ranks


def recall_at(ranks: dict[int, int], items: int, k: int) -> float:
    """Return the share of items covered in the first `k` results."""
    return sum(rank <= k for rank in ranks.values()) / items


def hit_at(ranks: dict[int, int], k: int) -> float:
    """Return 1 when any item is covered in the first `k` results."""
    return float(any(rank <= k for rank in ranks.values()))


def ndcg_at(ranks: dict[int, int], items: int, k: int) -> float:
    """Return the discounted gain of first coverings over that of the best order, at most 1."""
    gain = sum(1 / math.log2(1 + rank) for rank in ranks.values() if rank <= k)
    ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(items, k) + 1))
    return min(1.0, gain / ideal)


class Text:
    """The files of one workspace as lines."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file, without their ends."""
        if path not in self._lines:
            self._lines[path] = self._read(path).split("\n")
        return self._lines[path]

    def characters(self, path: str, numbers: Iterable[int]) -> int:
        """Return the length of those lines with their ends."""
        lines = self.lines(path)
        return sum(len(lines[number - 1]) + 1 for number in numbers if number <= len(lines))

    def section(self, place: Lines) -> Lines:
        """Return the section that a place begins in: from a heading of level 1 to 3 to the next."""
        lines = self.lines(place.path)
        first = next((n for n in range(place.first, 0, -1) if _HEADING.match(lines[n - 1])), 1)
        after = range(first + 1, len(lines) + 1)
        last = next((n - 1 for n in after if _HEADING.match(lines[n - 1])), len(lines))
        return Lines(place.path, first, last)


def recall_within(
    results: Sequence[Lines], items: Sequence[Lines], text: Text, budget: int
) -> float:
    """Return the share of items covered when results are read until `budget` characters are used.

    Lines are charged once. The result that crosses the budget counts when at least half fits.
    """
    read: dict[str, set[int]] = {}
    used, last = 0, 0
    for rank, result in enumerate(results, 1):
        known = read.setdefault(result.path, set())
        fresh = set(range(result.first, result.last + 1)) - known
        known |= fresh
        size = text.characters(result.path, fresh)
        used += size
        if used <= budget or used - budget <= size / 2:
            last = rank
        if used > budget + size:
            break
    return recall_at(first_ranks(results[:last], items), len(items), last)


def section_recall_at(
    results: Sequence[Lines], items: Sequence[Lines], text: Text, k: int
) -> float:
    """Return the share of evidence sections among the first `k` sections of the results."""
    wanted = {text.section(item) for item in items}
    found = list(dict.fromkeys(text.section(result) for result in results))[:k]
    return len(wanted & set(found)) / len(wanted)


def fresh_first(results: Sequence[Lines], question: Question) -> float:
    """Return 1 when evidence stands above every line that held an earlier answer."""
    right = min(first_ranks(results, question.evidence).values(), default=None)
    wrong = min(first_ranks(results, question.stale).values(), default=None)
    return float(right is not None and (wrong is None or right < wrong))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions with half the width of its 95 % interval (normal approximation)."""

    value: float
    half_width: float


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of at least one value."""
    average = sum(values) / len(values)
    spread = sum((value - average) ** 2 for value in values) / max(1, len(values) - 1)
    return Mean(average, 1.96 * math.sqrt(spread / len(values)))


def pooled(means: Sequence[Mean]) -> Mean:
    """Return the mean over sets of equal size."""
    width = math.sqrt(sum(one.half_width**2 for one in means))
    return Mean(sum(one.value for one in means) / len(means), width / len(means))
