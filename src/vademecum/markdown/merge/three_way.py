"""Three versions of a sequence in step: what all agree on, and the regions where they differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)


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
    middle = SequenceMatcher(
        None, first[head : len(first) - foot], second[head : len(second) - foot], autojunk=False
    )
    runs = [(0, 0, head)]
    runs += [(head + a, head + b, size) for a, b, size in middle.get_matching_blocks() if size]
    runs.append((len(first) - foot, len(second) - foot, foot))
    return [run for run in runs if run[2]]


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
