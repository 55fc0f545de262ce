"""Live the days: tell memory what happens, let its jobs run at night, and ask at checkpoints."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quarter.ask import Asked, ask_all
from benchmarks.quarter.conserved import missing
from benchmarks.quarter.life import Event, Life, Session
from benchmarks.quarter.scripted import scripted_model
from vademecum import open_memory
from vademecum.core.outcomes import AlreadyKnown, Outcome
from vademecum.service.memory import Memory, init
from vademecum.testing import FrozenClock

_SUNDAY = 6
_FIRST = "2026-01-05T07:00:00"


@dataclass
class Measured:
    """What a run came to."""

    asked: list[Asked] = field(default_factory=list)
    writes: int = 0
    lost: list[str] = field(default_factory=list)
    core_peak: int = 0
    """Largest size of core memory at any night, in characters."""
    core_budget: int = 0
    declined: int = 0
    """Proposals of jobs that a check did not allow."""
    seconds: float = 0.0


class Quarter:
    """One run: a workspace, its clock, and what it was told."""

    def __init__(
        self, place: Path, *, seed: int = 7, model: str = "none", embedder: str = "local",
        show: int = 0,
    ) -> None:  # fmt: skip
        self._root = place / "workspace"
        self._show = show
        self._clock = FrozenClock(_FIRST, zone="Europe/Berlin")
        self._settings: dict[str, Any] = {
            "state.directory": str(place / "state"),
            "workspace.zone": "Europe/Berlin",
            "embedder.provider": embedder,
        }
        self._model = scripted_model() if model == "scripted" else None
        self._life = Life(seed)
        self._told: list[str] = []
        self.measured = Measured()
        init(self._root, clock=self._clock, settings=self._settings)

    def live(self, days: int, checkpoints: Sequence[int]) -> Measured:
        """Live so many days, ask at the end of those in `checkpoints`, and account for all."""
        began = time.monotonic()
        for day, sessions in enumerate(self._life.days(days)):
            for session in sessions:
                self._at(day, session.at)
                self._session(session)
            self._night(day)
            if day + 1 in checkpoints:
                self._asked(day + 1)
        self.measured.lost = missing(self._root, self._told)
        self.measured.seconds = time.monotonic() - began
        return self.measured

    def _opened(self, agent: str, session: str) -> Memory:
        more = {"model": self._model} if self._model is not None else {}
        return open_memory(
            self._root,
            agent=agent,
            clock=self._clock,
            settings={**self._settings, "actor.session": session},
            **more,
        )

    def _at(self, day: int, moment: str) -> None:
        # The clock is local: a day is a date and not 24 hours, also where summer time begins.
        when = date.fromisoformat(_FIRST[:10]) + timedelta(days=day)
        self._clock.move_to(f"{when.isoformat()}T{moment}:00")

    def _session(self, session: Session) -> None:
        spoken: list[dict[str, str]] = []
        with self._opened("person", session.name) as memory:
            for event in session.events:
                self._clock.advance(minutes=2)
                if event.kind == "spoken" or (event.truth is not None and event.truth.spoken):
                    if event.kind == "contradicted":
                        continue
                    self._told.append(event.text)
                    spoken += [
                        {"role": "user", "content": f"{event.text}."},
                        {"role": "assistant", "content": "Understood."},
                    ]
                else:
                    self._tell(memory, event, session)
            if spoken:
                memory.flush(messages=spoken, window=128_000, session=session.name)
                self.measured.writes += 1
            self._reported(memory.heartbeat())

    def _tell(self, memory: Memory, event: Event, session: Session) -> None:
        self.measured.writes += 1
        outcome: Outcome | None = None
        if event.kind == "trivial":
            self._told.append(event.text)
            memory.log(event.text)
        elif event.kind in ("contradicted", "lesson"):
            with self._opened("assistant", session.name) as agent:
                outcome = agent.remember(event.text, tag="inferred")
        else:
            outcome = memory.remember(event.text, tag="stated", by_person=True)
        if event.kind != "trivial" and not isinstance(outcome, AlreadyKnown):
            self._told.append(event.text)  # what is known already stands there in other words

    def _night(self, day: int) -> None:
        self._at(day, "23:45")
        with self._opened("person", "night") as memory:
            self._reported(memory.reflect())
            self._clock.advance(minutes=20)
            if day % 7 == _SUNDAY:
                self._reported(memory.promote(apply=True))
                self._reported(memory.archive())
            self.measured.core_budget = _budget(memory)
        core = self._root / "MEMORY.md"
        size = len(core.read_text("utf-8")) if core.exists() else 0
        self.measured.core_peak = max(self.measured.core_peak, size)

    def _reported(self, report: Any) -> None:
        self.measured.declined += len(report.declined)

    def _asked(self, day: int) -> None:
        with self._opened("person", "questions") as memory:
            memory.sync()
            asked = ask_all(memory, self._life.truths, day)
        self.measured.asked.append(asked)
        for wrong in asked.wrong[: self._show]:
            print(f"day {day}: {wrong}")


def _budget(memory: Memory) -> int:
    return next(int(str(row.value)) for row in memory.config() if row.key == "budget.core")
