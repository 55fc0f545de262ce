"""What is worth a place in core memory: told and asked for often, lately, and surely known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.jobs import Declined
from vademecum.core.notes import Role, Span
from vademecum.core.provenance import Tag
from vademecum.lifecycle.cues import is_passing
from vademecum.lifecycle.day import proven
from vademecum.lifecycle.held import Held
from vademecum.lifecycle.proposed import PREFIX, unfit
from vademecum.lifecycle.recurring import WINDOW, Logs, Told, recurrences, says_same
from vademecum.lifecycle.refuted import Refuted
from vademecum.markdown.compare import normalise
from vademecum.markdown.secrets import redact
from vademecum.markdown.wording import key_of
from vademecum.workspace.recalls import Recalled, Recalls
from vademecum.workspace.workspace import Workspace

LEAST_DAYS = 3
"""Days of the log that tell it, from which on it recurs."""
LEAST_RECALLS, LEAST_QUESTIONS, LEAST_RECALL_DAYS = 3, 2, 2
"""What does as well: recalls in all, by different questions, on different days."""
LEAST_SCORE = 0.45
OLDEST = 30
"""Days since it was last told or asked for; then it is no longer in use."""
_HALF_LIFE = 14.0
_WEIGHTS = {"told": 0.30, "recalls": 0.24, "questions": 0.15, "recency": 0.15, "trust": 0.16}
_ENOUGH = {"told": 5, "recalls": 6, "questions": 4}
"""Counts at which a part of the score is full."""
_TRUST = {Tag.STATED: 1.0, Tag.OBSERVED: 0.7}
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Use:
    """How a claim was used of late."""

    told: tuple[Told, ...]
    recalls: tuple[Recalled, ...]

    @property
    def days(self) -> int:
        """Days of the log that tell it."""
        return len({one.day for one in self.told})

    @property
    def questions(self) -> int:
        """Different questions that recalled it."""
        return len({one.question for one in self.recalls})

    @property
    def last(self) -> date | None:
        """The last day on which it was told or recalled."""
        days = [one.day for one in self.told] + [one.day for one in self.recalls]
        return max(days, default=None)

    @property
    def recurs(self) -> bool:
        """Whether it was told on enough days, or asked for often enough in different ways."""
        asked_on = len({one.day for one in self.recalls})
        return self.days >= LEAST_DAYS or (
            len(self.recalls) >= LEAST_RECALLS
            and self.questions >= LEAST_QUESTIONS
            and asked_on >= LEAST_RECALL_DAYS
        )

    def score(self, tag: Tag, today: date) -> float:
        """Return 0 to 1: a weighted sum of days, recalls, questions, recency and trust."""
        if self.last is None:
            return 0.0
        counts = {"told": self.days, "recalls": len(self.recalls), "questions": self.questions}
        parts = {name: min(count / _ENOUGH[name], 1.0) for name, count in counts.items()}
        parts["recency"] = 0.5 ** (max(0, (today - self.last).days) / _HALF_LIFE)
        parts["trust"] = _TRUST.get(tag, 0.0)
        return sum(_WEIGHTS[name] * part for name, part in parts.items())


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could go to core memory: a claim of a note, or a statement that only the logs have."""

    text: str
    tag: Tag
    use: Use
    score: float
    claim: Claim | None = None

    @property
    def id(self) -> str:
        """Return what rulings name it by; another text has another one."""
        return f"{PREFIX}{text_digest(key_of(self.text))[:8]}"

    @property
    def why(self) -> str:
        """Return in words what speaks for it."""
        parts = []
        if self.use.told:
            links = list(dict.fromkeys(one.link for one in reversed(self.use.told)))
            named = ", ".join(f"[[{link}]]" for link in links[:_SHOWN])
            more = f" and {len(links) - _SHOWN} more" if len(links) > _SHOWN else ""
            parts.append(f"told on {_counted(self.use.days, 'day')}: {named}{more}")
        if self.use.recalls:
            times = _counted(len(self.use.recalls), "time")
            parts.append(f"recalled {times} by {_counted(self.use.questions, 'question')}")
        return f"{'; '.join(parts)}; score {self.score:.2f}"


def _is_refuted(refuted: Refuted, candidate: Candidate) -> bool:
    claim, told = candidate.claim, candidate.use.told
    since = claim.since if claim else None
    return refuted.by_claim(candidate.text, claim) or refuted.by_log(candidate.text, told, since)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


class Worth:
    """Weighs claims on one day. Logs of 90 days count, and recalls of 30."""

    def __init__(self, workspace: Workspace, today: date, logs: Logs, person: str) -> None:
        self._workspace = workspace
        self._today = today
        self._logs = logs
        self._person = person
        self._recalls: dict[str, list[Recalled]] = {}
        self.declined: list[Declined] = []
        """What recurs and may never be proposed."""
        recalls = Recalls(workspace.state, workspace.id)
        for one in recalls.since(today - timedelta(days=OLDEST)):
            for id in one.claims:
                self._recalls.setdefault(id, []).append(one)

    def use_of(self, text: str, id: str = "") -> Use:
        """Return how the claim with that text and block id was used."""
        first = self._today - timedelta(days=WINDOW)
        told = tuple(one for one in self._logs.like(text) if one.day > first)
        return Use(told, tuple(self._recalls.get(id, ())) if id else ())

    def candidates(self, held: Held) -> tuple[Candidate, ...]:
        """Return what is worth a place in core memory and has none, the best first.

        What a live claim or a later telling speaks against is not.
        """
        refuted = Refuted(self._workspace, held, self._logs, self._person)
        core = self._workspace.profile.core_path
        there = [normalise(claim.text) for claim in held.live if claim.span.path == core]
        found: dict[str, Candidate] = {}
        for candidate in (*self._of_notes(held), *self._of_logs(held)):
            normal = normalise(candidate.text)
            if not any(says_same(normal, known) for known in there) and not _is_refuted(
                refuted, candidate
            ):
                found.setdefault(candidate.id, candidate)
        return tuple(sorted(found.values(), key=lambda one: (-one.score, one.text)))

    def _of_notes(self, held: Held) -> Iterator[Candidate]:
        for claim in held.live:
            if self._workspace.role_of(claim.span.path) is not Role.CONCEPT or claim.conflict:
                continue
            if claim.tag in _TRUST:
                use = self.use_of(claim.text, claim.id)
                score = self._passing(use, claim.tag)
                if score is not None and self._is_fit(claim.text, claim.span):
                    yield Candidate(claim.text, claim.tag, use, score, claim)

    def _of_logs(self, held: Held) -> Iterator[Candidate]:
        known = [*(claim.text for claim in held.live), *held.past]
        for group in recurrences(self._logs, LEAST_DAYS, known):
            use = Use(group, ())
            said = group[-1].statement
            if is_passing(said.text, said.states):
                continue
            if self._passing(use, Tag.STATED) is None:
                continue
            if not self._is_fit(said.text, said.span):
                continue
            tag = self._proven(group)
            if tag in _TRUST and (score := self._passing(use, tag)) is not None:
                yield Candidate(said.text, tag, use, score)

    def _is_fit(self, text: str, span: Span) -> bool:
        if why := unfit(text):
            self.declined.append(Declined(redact(text), f"{why}; it is not proposed", span))
        return not why

    def _passing(self, use: Use, tag: Tag) -> float | None:
        if not use.recurs or use.last is None or (self._today - use.last).days > OLDEST:
            return None
        score = use.score(tag, self._today)
        return score if score >= LEAST_SCORE else None

    def _proven(self, group: Sequence[Told]) -> Tag:
        """Return what the last telling proves: that is the one that will be cited."""
        proof = proven(self._workspace, group[-1].statement, self._person)
        return Tag.UNKNOWN if proof is None or proof.untrusted else proof.tag
