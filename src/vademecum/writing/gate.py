"""The gate: an inferred lesson waits until enough independent signals speak for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import newline_of, split

OPENING_WEIGHT = 3.0
OPENING_SESSIONS = 2
REOPENING_WEIGHT = 2.0
"""Weight of signals to the contrary from which a lesson that had passed is put in question."""
FRESH_DAYS = 30
OWN_REFLECTION = "reflection"
"""Name of the actor in whose name the product writes what it thought of by itself."""

_SIGNAL = re.compile(
    r"[ \t]*>[ \t]*signal (\d{4}-\d{2}-\d{2}) · session ([^·\n]*?) · by ([^·\n]*?)"
    r"(?: · own reflection)?(?: · \[\[([^\[\]\n]*)\]\])?[ \t]*\r?\n?\Z"
)
HEADER = (
    "---\ntype: candidates\ntitle: Candidates\n"
    "description: Inferred lessons that wait for more signals\n---\n\n# Candidates\n\n"
    "Inferred and not yet believed: 3 signals from 2 sessions open the gate; one older than\n"
    "30 days counts half. `vade review` lists them.\n\n"
)


@dataclass(frozen=True, slots=True)
class Signal:
    """One observation that speaks for a candidate."""

    day: date
    session: str
    actor: str
    link: str = ""
    reflection: bool = False

    def weight(self, today: date) -> float:
        """Return 1, ½ when older than 30 days, 0 for the product's own reflections."""
        if self.reflection:
            return 0.0
        return 0.5 if (today - self.day).days > FRESH_DAYS else 1.0

    def same_as(self, other: Signal) -> bool:
        """Whether both are one observation, told twice."""
        if self.link and other.link:
            return self.link == other.link
        return (self.session or self.actor, self.day) == (other.session or other.actor, other.day)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A lesson at the gate and its signals; `stop` is the last of its lines, from 1."""

    claim: Claim
    signals: tuple[Signal, ...]
    stop: int


def read_candidates(path: str, text: str) -> tuple[Candidate, ...]:
    """Return the live candidates of the file in order, with the signals below each."""
    lines = split(text)
    found = []
    for claim in read_claims(path, text):
        stop = claim.span.last
        signals = []
        while stop < len(lines) and (signal := _signal(lines[stop])):
            signals.append(signal)
            stop += 1
        if claim.live:
            found.append(Candidate(claim, tuple(signals), stop))
    return tuple(found)


def render_signal(signal: Signal) -> str:
    """Return the line of a signal, as it stands below its candidate, without a line end."""
    own = " · own reflection" if signal.reflection else ""
    link = f" · [[{signal.link}]]" if signal.link else ""
    return (
        f"  > signal {signal.day.isoformat()} · session {_flat(signal.session)} · "
        f"by {_flat(signal.actor)}{own}{link}"
    )


def with_signal(text: str, candidate: Candidate, signal: Signal) -> str:
    """Return `text` with one more signal below a candidate that was read from it."""
    lines = split(text)
    end = newline_of(text)
    if not lines[candidate.stop - 1].endswith("\n"):
        lines[candidate.stop - 1] += end
    lines.insert(candidate.stop, render_signal(signal) + end)
    return "".join(lines)


def without(text: str, candidate: Candidate) -> str:
    """Return `text` without a candidate that has passed: its lines go on in the lesson's note."""
    lines = split(text)
    del lines[candidate.claim.span.first - 1 : candidate.stop]
    return "".join(lines)


def weigh(signals: Sequence[Signal], today: date) -> tuple[float, int]:
    """Return the weight of signals and from how many sessions those come that weigh anything."""
    counted = [signal for signal in signals if signal.weight(today) > 0]
    sessions = {signal.session or f"{signal.actor} {signal.day}" for signal in counted}
    return sum(signal.weight(today) for signal in counted), len(sessions)


def is_open(signals: Sequence[Signal], today: date) -> bool:
    """Whether a lesson with these signals may be believed."""
    weight, sessions = weigh(signals, today)
    return weight >= OPENING_WEIGHT and sessions >= OPENING_SESSIONS


def _signal(line: str) -> Signal | None:
    found = _SIGNAL.match(line)
    if found is None:
        return None
    try:
        day = date.fromisoformat(found[1])
    except ValueError:
        return None
    session = "" if found[2] == "-" else found[2]
    return Signal(day, session, found[3], found[4] or "", " · own reflection" in line)


def _flat(name: str) -> str:
    return " ".join(name.replace("·", "-").split()) or "-"
