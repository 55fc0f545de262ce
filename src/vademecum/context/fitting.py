"""Fitting texts into a budget of characters, counted as hosts count them."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.frozen import dataclass

_SMALLEST = 200
"""A part that would get less than this is only named."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text cut to its share; `notice` says so below or above it, empty for a whole one."""

    text: str
    truncated: bool


def units(text: str) -> int:
    """Return how many UTF-16 code units `text` has, which is what hosts call characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, limit: int) -> str:
    """Return the first `limit` units of `text`, without half of a surrogate pair at the end."""
    if units(text) <= limit:
        return text
    if text.isascii():
        return text[:limit]
    data = text.encode("utf-16-le", "surrogatepass")[: max(limit, 0) * 2]
    return data.decode("utf-16-le", "ignore")


def shares(lengths: Sequence[int], weights: Sequence[int], budget: int) -> list[int]:
    """Return how much each text may take of `budget`: what is small stays whole.

    The rest is divided among the large ones by their weights.
    """
    given = [0] * len(lengths)
    open_ones = [number for number, length in enumerate(lengths) if length]
    left = max(budget, 0)
    while open_ones:
        total = sum(weights[number] for number in open_ones)
        small = [n for n in open_ones if lengths[n] <= left * weights[n] // total]
        if not small:
            for number in open_ones:
                given[number] = left * weights[number] // total
            break
        for number in small:
            given[number] = lengths[number]
            left -= lengths[number]
        open_ones = [number for number in open_ones if number not in small]
    return given


def fitted(text: str, share: int, path: str, *, newest_last: bool, size: int = 0) -> Fitted:
    """Return `text` in at most `share` units, with a notice that names the file where it is cut.

    A `size` in bytes says that `text` is only a part of that file, so that there is always a cut.

    Cuts are at line ends where one is near. Of a log, whose newest entries stand last, the end
    stays and the notice stands first.
    """
    length = units(text)
    if length <= share and not size:
        return Fitted(text, False)
    extent = f"{size:,} bytes" if size else f"{length:,} characters"
    notice = f"[truncated: {path} has {extent}; read the file for the rest]"
    room = share - units(notice) - 1
    if room < min(_SMALLEST, length):
        return Fitted(cut(notice, share), True)
    if newest_last:
        tail = _last(text, room)
        return Fitted(f"{notice}\n{tail}", True)
    return Fitted(f"{_first(text, room)}\n{notice}", True)


def _first(text: str, room: int) -> str:
    part = cut(text, room)
    end = part.rfind("\n")
    return (part[:end] if end > len(part) // 2 else part).rstrip()


def _last(text: str, room: int) -> str:
    data = text.encode("utf-16-le", "surrogatepass")[-room * 2 :]
    part = data.decode("utf-16-le", "ignore")
    heading = part.find("\n### ")
    start = heading if 0 <= heading < len(part) // 2 else part.find("\n")
    return (part[start + 1 :] if 0 <= start < len(part) // 2 else part).strip("\n")
