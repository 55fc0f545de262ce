"""Questions about every truth: is the present told, is the past told only as past, how fast."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.quarter.truths import Truth
from vademecum.core.search import Source, Status
from vademecum.service.memory import Memory

_PAST = (Status.SUPERSEDED,)
_TIMED = 60
"""Questions that are timed, each once after one that warms up."""


@dataclass
class Asked:
    """The answers at one checkpoint."""

    day: int
    kept: int = 0
    """Truths that were never corrected …"""
    kept_right: int = 0
    """… and whose value comes as current within five sources."""
    changed: int = 0
    changed_right: int = 0
    """Corrected truths whose newest value comes as current within five sources."""
    first_right: int = 0
    """All truths whose value stands in the first source."""
    past_as_present: int = 0
    """Answers in which an old value comes as current."""
    history_right: int = 0
    """Corrected truths whose first value comes as past when history is asked for."""
    spoken: int = 0
    spoken_right: int = 0
    """Of all truths, those told in conversation only."""
    chunks: int = 0
    milliseconds: float = 0.0
    """Median processor time of a warm recall."""
    wrong: list[str] = field(default_factory=list)

    @property
    def quality(self) -> float:
        """Share of all truths that are recalled as current."""
        return (self.kept_right + self.changed_right) / max(1, self.kept + self.changed)


def ask_all(memory: Memory, truths: Sequence[Truth], day: int) -> Asked:
    """Ask about every truth, then once more about some to time it."""
    asked = Asked(day)
    for truth in truths:
        _ask(memory, truth, asked)
    asked.chunks = memory.status().coverage.chunks
    asked.milliseconds = _timed(memory, [truth.question for truth in truths[:_TIMED]])
    return asked


def _ask(memory: Memory, truth: Truth, asked: Asked) -> None:
    sources = memory.recall(truth.question).sources
    current = [source for source in sources if source.status not in _PAST]
    right = any(_tells(source, truth.value) for source in current)
    old = [value for _, value in truth.values[:-1]]
    past = [source.text for source in current if _old_alone(source, old, truth)]
    asked.first_right += bool(sources) and _tells(sources[0], truth.value)
    asked.past_as_present += bool(past)
    asked.spoken += truth.spoken
    asked.spoken_right += truth.spoken and right
    if old:
        asked.changed += 1
        asked.changed_right += right
        told = _history(memory, truth, old[0])
        asked.history_right += told
        if not told:
            asked.wrong.append(f"no history of {old[0]}: {truth.question}")
    else:
        asked.kept += 1
        asked.kept_right += right
    if not right:
        asked.wrong.append(f"not told: {truth.question} {truth.value}{' (spoken)' * truth.spoken}")
    if past:
        asked.wrong.append(f"past as present: {truth.question} {truth.value}: {past[0]}")


def _history(memory: Memory, truth: Truth, value: str) -> bool:
    sources = memory.recall(truth.question, history=True).sources
    return any(_tells(one, value) and one.status in _PAST for one in sources)


def _tells(source: Source, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", source.text) is not None


def _old_alone(source: Source, old: Iterable[str], truth: Truth) -> bool:
    """Whether a source tells an old value of this very truth and not the new one."""
    if _tells(source, truth.value) or truth.service not in source.text:
        return False
    forms = ("tell", "reworded", "change", "decide")
    return any(truth.said(form, value) in source.text for value in old for form in forms)


def _timed(memory: Memory, questions: Sequence[str]) -> float:
    taken = []
    for question in questions:
        began = time.process_time()
        memory.recall(question)
        taken.append((time.process_time() - began) * 1000)
    return statistics.median(taken) if taken else 0.0
