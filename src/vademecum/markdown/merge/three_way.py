"""Three versions of a sequence in step: what all agree on, and the regions where they differ."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)
_MOST_SEARCHED = 4_000_000
"""Items of one side times those of the other."""


def regions(
    base: Sequence[_T], ours: Sequence[_T], theirs: Sequence[_T]
) -> Iterator[tuple[Sequence[_T], Sequence[_T], Sequence[_T]]]:
    """Yield base, ours and theirs in step: regions they agree on, and those between them."""
    old = mine = yours = 0
    for at_base, at_ours, at_theirs, length in _anchors(base, ours, theirs):
        yield base[old:at_base], ours[mine:at_ours], theirs[yours:at_theirs]
        old, mine, yours = at_base + length, at_ours + length, at_theirs + length
        agreed = base[at_base:old]
        yield agreed, agreed, agreed


def matches(first: Sequence[_T], second: Sequence[_T]) -> list[tuple[int, int, int]]:
    """Return the runs (place in the first, in the second, length) that both share, in order.

    Equal beginnings and ends are found without a search.
    """
    shorter = min(len(first), len(second))
    head = 0
    while head < shorter and first[head] == second[head]:
        head += 1
    foot = 0
    while foot < shorter - head and first[-1 - foot] == second[-1 - foot]:
        foot += 1
    within = _runs(first[head : len(first) - foot], second[head : len(second) - foot])
    runs = [(0, 0, head)]
    runs += [(head + a, head + b, size) for a, b, size in within]
    runs.append((len(first) - foot, len(second) - foot, foot))
    return [run for run in runs if run[2]]


def _runs(first: Sequence[_T], second: Sequence[_T]) -> list[tuple[int, int, int]]:
    """Return the runs that both share; what is too long to search is cut at lines that stand once.

    A search takes the length of one side times the other where lines recur, as blank ones do.
    """
    if len(first) * len(second) > _MOST_SEARCHED:
        return _between_fixed(first, second)
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return [(a, b, size) for a, b, size in matcher.get_matching_blocks() if size]


def _between_fixed(first: Sequence[_T], second: Sequence[_T]) -> list[tuple[int, int, int]]:
    """Return the runs around the items that both have once, in the order both have them in.

    None between two that are too far from each other still: that was rewritten.
    """
    runs: list[tuple[int, int, int]] = []
    at = to = 0
    for fixed, there in (*_in_both_orders(first, second), (len(first), len(second))):
        if (fixed - at) * (there - to) <= _MOST_SEARCHED:
            runs += (
                (at + a, to + b, size) for a, b, size in matches(first[at:fixed], second[to:there])
            )
        if fixed < len(first):
            runs.append((fixed, there, 1))
        at, to = fixed + 1, there + 1
    return runs


def _in_both_orders(first: Sequence[_T], second: Sequence[_T]) -> list[tuple[int, int]]:
    """Return the places of the most items that stand once on each side, in one order."""
    counts = Counter(first), Counter(second)
    places = {item: at for at, item in enumerate(second)}
    once = [
        (at, places[item])
        for at, item in enumerate(first)
        if counts[0][item] == 1 and counts[1][item] == 1
    ]
    ends: list[int] = []
    """Of the longest rising row of each length so far, the place on the second side it ends at."""
    rows: list[tuple[tuple[int, int], int]] = []
    last: list[int] = []
    for at, there in once:
        length = bisect_left(ends, there)
        rows.append(((at, there), last[length - 1] if length else -1))
        ends[length : length + 1] = [there]
        last[length : length + 1] = [len(rows) - 1]
    found = []
    number = last[-1] if last else -1
    while number >= 0:
        pair, number = rows[number]
        found.append(pair)
    return found[::-1]


def _anchors(
    base: Sequence[_T], ours: Sequence[_T], theirs: Sequence[_T]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield runs that all three share, in order, ended by an empty run at the ends."""
    to_theirs = {
        start_base + step: start_theirs + step
        for start_base, start_theirs, length in matches(base, theirs)
        for step in range(length)
    }
    for start_base, start_ours, length in matches(base, ours):
        step = 0
        while step < length:
            if start_base + step not in to_theirs:
                step += 1
                continue
            begin, at_theirs = step, to_theirs[start_base + step]
            while step < length and to_theirs.get(start_base + step) == at_theirs + step - begin:
                step += 1
            yield start_base + begin, start_ours + begin, at_theirs, step - begin
    yield len(base), len(ours), len(theirs), 0
