"""Daily logs in three versions: every entry of both sides once, in the order of their times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.markdown.entries import read_entries
from vademecum.markdown.merge.three_way import regions
from vademecum.markdown.merge.versions import Version

FORGOTTEN = "[forgotten "
"""What stands in a log in place of a text that was forgotten begins like this."""


@dataclass(frozen=True, slots=True)
class Part:
    """An entry with the blank lines below it."""

    lines: tuple[str, ...]
    day: date
    time: str
    title: str

    @property
    def same(self) -> str:
        """What two entries share that are one: everything but blank lines at the end."""
        return "".join(self.lines).rstrip()

    @property
    def name(self) -> tuple[str, str]:
        """What an entry that was edited keeps."""
        return self.time, self.title


def merge_logs(
    path: str, base: Version, ours: Version, theirs: Version, day: date
) -> tuple[str, ...] | None:
    """Return the body of a log, None where it tells of several days and is no plain list.

    What both sides have stands once. An entry that one side removed or edited is as that side has
    it; edited by both, it stands twice. What was forgotten on one side is on neither.
    """
    cut = [_parts(path, version, day) for version in (base, ours, theirs)]
    if any(parts is None for parts in cut):
        return None
    (top, old), (top_mine, mine), (top_yours, yours) = (parts for parts in cut if parts)
    kept = _kept(old, mine, yours)
    return (*_preamble(top, top_mine, top_yours), *_spaced(kept))


def _parts(path: str, version: Version, day: date) -> tuple[Sequence[str], list[Part]] | None:
    entries = read_entries(path, version.text, day)
    if any(entry.day != day for entry in entries):
        return None
    lines = (*version.head, *version.body)
    timed = [entry for entry in entries if entry.time or entry.title]
    first = timed[0].span.first - 1 if timed else len(lines)
    stops = [*(entry.span.first - 1 for entry in timed), len(lines)][1:]
    parts = [
        Part(lines[entry.span.first - 1 : stop], entry.day, entry.time, entry.title)
        for entry, stop in zip(timed, stops, strict=True)
    ]
    return lines[len(version.head) : max(first, len(version.head))], parts


def _kept(old: Sequence[Part], mine: Sequence[Part], yours: Sequence[Part]) -> list[Part]:
    before, first, second = ({part.same for part in parts} for parts in (old, mine, yours))
    forgotten = {
        part.name for part in (*mine, *yours) if part.same not in before and FORGOTTEN in part.same
    }
    order = [
        part
        for part in mine
        if not (part.same in before and part.same not in second)
        and not (part.name in forgotten and FORGOTTEN not in part.same)
    ]
    previous: Part | None = None
    for part in yours:
        new = part.same not in before and part.same not in first
        if new and not (part.name in forgotten and FORGOTTEN not in part.same):
            order.insert(_place(order, part, previous), part)
            previous = part
        elif part.same in {one.same for one in order}:
            previous = next(one for one in order if one.same == part.same)
    return order


def _place(order: Sequence[Part], part: Part, previous: Part | None) -> int:
    at = order.index(previous) + 1 if previous is not None else 0
    if not part.time:
        return at
    while at < len(order) and (not order[at].time or order[at].time <= part.time):
        at += 1
    return at


def _preamble(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return what stands above the first entry; lines that both added stand once."""
    lines: list[str] = []
    for old, mine, yours in regions(base, ours, theirs):
        if list(mine) in (list(old), list(yours)):
            lines += yours
        elif list(yours) == list(old):
            lines += mine
        else:
            lines += mine
            lines += [line for line in yours if line not in mine and line.strip()]
    return lines


def _spaced(parts: Sequence[Part]) -> list[str]:
    """Return the lines of the entries, one blank line between two that are headings."""
    lines: list[str] = []
    for number, part in enumerate(parts):
        own = list(part.lines)
        if number < len(parts) - 1 and own[0].startswith("#") and own[-1].strip():
            own.append("\n")
        lines += own
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    return lines
