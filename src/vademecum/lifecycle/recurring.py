"""What recurs in the logs: statements of several days that say the same, found by their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from math import ceil

from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import is_job
from vademecum.lifecycle.cues import is_hedged
from vademecum.lifecycle.day import DayLog, Statement, read_day
from vademecum.markdown.compare import NormalClaim, Same, compare, normalise
from vademecum.markdown.kinds import is_durable
from vademecum.markdown.recalled import holds_claim_line, is_recall_output
from vademecum.markdown.sentences import States
from vademecum.workspace.workspace import Workspace
from vademecum.writing.decide import ALIKE, is_alike
from vademecum.writing.speakers import Speaker, reporter_of, voices

WINDOW = 90
"""Days that are looked at."""
_PASSING = (States.QUESTION, States.TASK)


@dataclass(frozen=True, slots=True)
class Told:
    """A statement of the log with its day and the target of a wikilink to its entry."""

    day: date
    statement: Statement
    link: str
    normal: NormalClaim


class Logs:
    """The lasting statements of the logs of some days, to be asked what says the same."""

    def __init__(self, told: Iterable[Told]) -> None:
        self.told = tuple(told)
        self._same_words: dict[tuple[str, ...], list[int]] = {}
        for number, one in enumerate(self.told):
            self._same_words.setdefault(one.normal.keys, []).append(number)
        self._answers: dict[tuple[str, ...], tuple[Told, ...]] = {}
        self._by_word: dict[str, list[tuple[NormalClaim, frozenset[str]]]] = {}
        for numbers in self._same_words.values():
            normal = self.told[numbers[0]].normal
            words = frozenset(normal.content)
            for word in words:
                self._by_word.setdefault(word, []).append((normal, words))

    def like(self, text: str) -> tuple[Told, ...]:
        """Return what says the same as `text`, oldest first."""
        asked = normalise(text)
        if asked.keys not in self._answers:
            found = {normal.keys for normal in self._near(asked) if says_same(asked, normal)}
            found |= {asked.keys} & self._same_words.keys()
            numbers = sorted(number for keys in found for number in self._same_words[keys])
            self._answers[asked.keys] = tuple(self.told[number] for number in numbers)
        return self._answers[asked.keys]

    def _near(self, asked: NormalClaim) -> Iterator[NormalClaim]:
        """Return what has most of its words in common with `asked`.

        That shares one of the rarest words, so the common ones need not be looked up.
        """
        own = frozenset(asked.content)
        rarest = sorted(own, key=lambda word: len(self._by_word.get(word, ())))
        found: dict[int, NormalClaim] = {}
        for word in rarest[: len(own) - ceil(ALIKE * len(own)) + 1]:
            for normal, words in self._by_word.get(word, ()):
                if len(own & words) >= ALIKE * len(own | words):
                    found[id(normal)] = normal
        return iter(found.values())


def says_same(one: NormalClaim, other: NormalClaim) -> bool:
    """Whether two statements say the same: the same words, or other ones as the rules allow.

    Nearly the same words are not enough: what differs may be what both are about.
    """
    if one.keys == other.keys:
        return True
    if not is_alike(one, other) or _numbers(one) != _numbers(other):
        return False
    return isinstance(compare(one, other), Same)


def _numbers(normal: NormalClaim) -> set[str]:
    """Return the words with a digit: numbers, dates, versions, tickets."""
    return {key for key in normal.keys if any(map(str.isdigit, key))}


def read_logs(workspace: Workspace, last: date) -> Logs:
    """Read the logs of the 90 days up to `last`.

    Left out is what proves nothing: what weighs or asks, what jobs entered, what memory itself or
    a page from outside said.
    """
    first = last - timedelta(days=WINDOW - 1)
    days = {workspace.profile.day_of(path) for path in workspace.scan().files}
    by_jobs = _entered_by_jobs(workspace)
    told: list[Told] = []
    for day in sorted(day for day in days if day is not None and first <= day <= last):
        told += _told(read_day(workspace, day), by_jobs)
    return Logs(told)


def _told(log: DayLog, by_jobs: frozenset[tuple[str, str]]) -> Iterator[Told]:
    silent = {
        number
        for number, entry in enumerate(log.entries)
        if (entry.span.path, entry.title) in by_jobs
        or is_recall_output(entry.body)
        or holds_claim_line(entry.body)
        or Speaker.WEB in voices(entry.title, entry.body.splitlines())
    }
    for statement in log.statements:
        said = statement.text
        if statement.entry in silent or statement.states in _PASSING:
            continue
        outside = reporter_of(said) is Speaker.WEB
        if is_durable(said) and not is_hedged(said) and not outside:
            yield Told(log.day, statement, log.links[statement.entry], normalise(said))


def _entered_by_jobs(workspace: Workspace) -> frozenset[tuple[str, str]]:
    """Return path and title of the entries that jobs made."""
    try:
        changes = workspace.ledger.changes()
        return frozenset((one.path, one.summary) for one in changes if is_job(one.actor))
    except VademecumError:
        return frozenset()


def recurrences(logs: Logs, least: int, without: Sequence[str]) -> Iterator[tuple[Told, ...]]:
    """Yield what is told on at least `least` days and says the same as none of `without`."""
    seen = {id(one) for text in without for one in logs.like(text)}
    for one in reversed(logs.told):
        if id(one) in seen:
            continue
        group = logs.like(one.statement.text)
        seen.update(map(id, group))
        if len({told.day for told in group}) >= least:
            yield group
