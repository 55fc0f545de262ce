"""Merges that are safe without anybody looking: by line, and by block id where there is one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BLOCK_ID = re.compile(rb"(?:^|\s)\^([A-Za-z0-9-]+)\s*$")
_PROPERTY = re.compile(rb"([^\s#:-][^:]*):(?:\s|$)")

Lines = Sequence[bytes]


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return what both made of `base`, or None when both changed the same line differently.

    Nothing that either added is dropped; what one removed and the other kept goes; what one removed
    and the other changed is no merge. What both added at one place stands below each other, theirs
    first. Line ends follow `theirs`. A file that was emptied is never merged.
    """
    if base == theirs:
        return ours
    if ours in (base, theirs):
        return theirs
    if not theirs.strip() or not ours.strip():
        return None
    # Merging is rare, and every write would pay for the patterns of claims that come with it.
    from vademecum.markdown.merge.three_way import regions  # noqa: PLC0415  only where two changed one file

    end = _line_end(theirs)
    three = (_lines(base, end), _lines(ours, end), _lines(theirs, end))
    merged: list[bytes] = []
    for old, mine, yours in regions(*three):
        chosen = _choose(old, mine, yours)
        if chosen is None:
            return None
        merged.extend(chosen)
    return None if _twice_in_frontmatter(merged) else b"".join(merged)


def block_id(line: bytes) -> bytes:
    """Return the Obsidian block id at the end of `line`, or nothing."""
    found = _BLOCK_ID.search(line)
    return found.group(1) if found else b""


def _twice_in_frontmatter(lines: Lines) -> bool:
    """Whether both added the same property: a file of two values that no reader could choose of."""
    if not lines or lines[0].strip() != b"---":
        return False
    seen: set[bytes] = set()
    for line in lines[1:]:
        if line.strip() == b"---":
            return False
        key = _PROPERTY.match(line)
        if key and key.group(1) in seen:
            return True
        if key:
            seen.add(key.group(1))
    return False


def _line_end(content: bytes) -> bytes:
    windows = content.count(b"\r\n")
    return b"\r\n" if windows and windows == content.count(b"\n") else b"\n"


def _lines(content: bytes, end: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if end == b"\r\n":
        return [line.removesuffix(b"\r") + end for line in lines]
    return [line + end for line in lines]


def _choose(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    if list(ours) == list(base) or list(ours) == list(theirs):
        return theirs
    if list(theirs) == list(base):
        return ours
    if not base:
        return _both_added(ours, theirs)
    in_step = _line_for_line(base, ours, theirs)
    return in_step if in_step is not None else _by_id(base, ours, theirs)


def _both_added(ours: Lines, theirs: Lines) -> Lines:
    if _within(ours, theirs):
        return theirs
    if _within(theirs, ours):
        return ours
    # A line with an id is one line, wherever both have it: nobody writes the same id twice.
    named = {line for line in theirs if block_id(line)}
    return [*theirs, *(line for line in ours if line not in named)]


def _within(part: Lines, whole: Lines) -> bool:
    """Whether `part` stands in `whole` as one run: both added the same, one of them more."""
    starts = range(len(whole) - len(part) + 1)
    return any(list(whole[start : start + len(part)]) == list(part) for start in starts)


def _one_line(base: bytes | None, ours: bytes | None, theirs: bytes | None) -> tuple[bytes, ...]:
    """Return the line both would have (none when removed); raise LookupError when they differ."""
    if ours in (base, theirs):
        chosen = theirs
    elif theirs == base:
        chosen = ours
    else:
        raise LookupError
    return () if chosen is None else (chosen,)


def _line_for_line(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Merge regions of equal length whose lines stand opposite each other."""
    if not len(base) == len(ours) == len(theirs):
        return None
    merged: list[bytes] = []
    for old, mine, yours in zip(base, ours, theirs, strict=True):
        if not block_id(old) == block_id(mine) == block_id(yours):
            return None
        try:
            merged.extend(_one_line(old, mine, yours))
        except LookupError:
            return None
    return merged


def _by_id(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Merge a region whose changed lines all carry an id; additions keep their predecessor."""
    old, mine, yours = _by_key(base), _by_key(ours), _by_key(theirs)
    if old is None or mine is None or yours is None:
        return None
    loose = [key for key, line in old.items() if not block_id(line)]
    if any(key not in mine or key not in yours for key in loose):
        return None
    kept: dict[bytes, tuple[bytes, ...]] = {}
    for key in {**old, **mine, **yours}:
        try:
            kept[key] = _one_line(old.get(key), mine.get(key), yours.get(key))
        except LookupError:
            return None
    order = list(yours)
    previous: bytes | None = None
    for key in mine:
        if key not in yours:
            place = order.index(previous) + 1 if previous in order else 0
            order.insert(place, key)
        previous = key
    return [line for key in order for line in kept[key]]


def _by_key(lines: Lines) -> dict[bytes, bytes] | None:
    """Return the lines by block id, else by their text; None where a key occurs twice."""
    keyed = {b"^" + block_id(line) if block_id(line) else line: line for line in lines}
    return keyed if len(keyed) == len(lines) else None
