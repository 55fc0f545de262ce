"""The same writes while everybody else rests: what writes under load are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.load.history import History, Operation
from benchmarks.load.workers import Commands, Program, Server, Worker

KINDS = {"s": "through a warm server", "c": "by a command", "p": "by the library"}
"""Sorts of writers, by the letter in the words they write."""
_TIMES = {"s": 30, "c": 6, "p": 30}
"""Writes of each kind that are timed each time."""


class Alone:
    """One writer of each sort, held open all along; memory grows meanwhile, for both alike."""

    def __init__(
        self, root: Path, history: History, seed: int, environment: Mapping[str, str]
    ) -> None:
        given = (root, history, seed, environment)
        self._writers: dict[str, Worker] = {
            "s": Server("alone", *given),
            "c": Commands("alone", *given),
            "p": Program("alone", *given),
        }
        self.timed: list[Operation] = []
        self.other: list[Operation] = []
        """Writes that came first after a rest, and read what had changed since."""
        for writer in self._writers.values():
            writer.start_up()

    def write(self) -> None:
        """Write some more of each."""
        for sort, writer in self._writers.items():
            self.other += (writer.log(), writer.remember())
            for _ in range(_TIMES[sort]):
                self.timed += (writer.log(), writer.remember())

    def end(self) -> None:
        """End what was started."""
        for writer in self._writers.values():
            writer.wind_up()
