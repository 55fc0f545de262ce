"""Accounts: what became of every line of the source, checked for completeness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Account, Fate, FilePlan, FileReport
from vademecum.core.notes import Span
from vademecum.migration.bodies import Body

_MOST_NAMED = 8


@dataclass(slots=True)
class FileAccounts:
    """The accounts of one file of the source, as they come in."""

    path: str
    rows: list[Account] = field(default_factory=list)
    lines: int = 0
    """How many lines of it were read."""
    blank: list[int] = field(default_factory=list)
    """Those that say nothing, by their numbers."""

    def see(self, body: Body, raw_lines: int) -> None:
        """Take note of `raw_lines` more lines, and of those that are left out."""
        self.lines += raw_lines
        self.blank += [
            number
            for line, number in zip(body.lines, body.numbers, strict=True)
            if number and not line.strip()
        ]
        for number, rule in body.dropped:
            self.add(number, number, Fate.SECRET, why=rule)
        for first, last in _runs(body.made):
            self.add(first, last, Fate.GENERATED, why="links that an export wrote")
        for number in body.forgotten:
            self.add(number, number, Fate.FORGOTTEN, why="it was forgotten here")

    def add(self, first: int, last: int, fate: Fate, to: Span | None = None, why: str = "") -> None:
        """Account for the lines from `first` to `last`."""
        self.rows.append(Account(Span(self.path, first, last), fate, to, why))

    def moved(
        self, body: Body, numbers: Sequence[int], fate: Fate, to: str, offset: int = 0
    ) -> None:
        """Account for lines that stand in the file `to`, in order, behind `offset` others there.

        `numbers` are those of the lines in the source, 0 for a line that was made.
        """
        start = 0
        while start < len(numbers):
            stop = start + 1
            if not numbers[start]:
                start = stop
                continue
            rule = body.redacted.get(numbers[start], "")
            while (
                not rule
                and stop < len(numbers)
                and numbers[stop] == numbers[stop - 1] + 1
                and numbers[stop] not in body.redacted
            ):
                stop += 1
            there = Span(to, offset + start + 1, offset + stop)
            why = f"without a credential: {rule}" if rule else ""
            self.add(numbers[start], numbers[stop - 1], fate, there, why)
            start = stop

    def fill_blanks(self) -> None:
        """Account for the blank lines that went nowhere, once all others are accounted for."""
        covered = self._covered()
        for first, last in _runs(number for number in self.blank if not covered[number]):
            self.add(first, last, Fate.BLANK)

    def missing(self) -> tuple[tuple[int, int], ...]:
        """Return the lines that nothing accounts for, as runs."""
        covered = self._covered()
        return tuple(_runs(n for n in range(1, self.lines + 1) if not covered[n]))

    def report(self, plan: FilePlan) -> FileReport:
        """Return the counts."""
        covered = self._covered()
        fates: dict[str, int] = {}
        for row in self.rows:
            fates[row.fate.value] = fates.get(row.fate.value, 0) + _length(row)
        to = dict.fromkeys(row.to.path for row in self.rows if row.to is not None)
        named = tuple(to)[:_MOST_NAMED]
        return FileReport(
            self.path, plan.origin, self.lines, sum(covered[1 : self.lines + 1]), fates, named
        )

    def elsewhere(self, planned: str, actual: str) -> None:
        """Put another path where the file that was planned had to be given another name."""
        if planned != actual:
            self.rows = [
                replace(row, to=replace(row.to, path=actual))
                if row.to is not None and row.to.path == planned
                else row
                for row in self.rows
            ]

    def _covered(self) -> bytearray:
        covered = bytearray(self.lines + 2)
        for row in self.rows:
            first, last = row.source.first, min(row.source.last, self.lines)
            covered[first : last + 1] = b"\1" * max(last + 1 - first, 0)
        return covered


def _length(row: Account) -> int:
    return row.source.last - row.source.first + 1


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = 0
    for number in numbers:
        if last and number == last + 1:
            last = number
            continue
        if last:
            yield first, last
        first = last = number
    if last:
        yield first, last
