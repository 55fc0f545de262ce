"""How long each lock of a state directory is held, as /proc/locks shows it from outside.

`python -m benchmarks.load.locks STATE` looks until its input ends, then prints what it saw. Beside
it writes and syncs a few bytes now and then: what a lock waits for most is the disk.
"""

from __future__ import annotations

import json
import os
import re
import select
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

_EVERY = 0.01
_BETWEEN_SYNCS = 0.5
_ROW = re.compile(r"^\d+: FLOCK\s+ADVISORY\s+WRITE (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) ")
OFFICES = frozenset(
    ("indexer.lock", "embedding.lock", "watcher.lock", "scheduler.lock", "gather.lock", "git.lock")
    + ("sync.lock", "job-heartbeat.lock", "job-reflect.lock", "job-promote.lock")
    + ("job-archive.lock", "migrations.lock")
)
"""Locks that nobody waits for: whoever does not get one leaves the work to its holder."""


@dataclass(slots=True)
class Seen:
    """The longest hold of each lock that others wait for, in seconds."""

    wall: dict[str, float] = field(default_factory=dict)
    net: dict[str, float] = field(default_factory=dict)
    """Without the time in which the holder waited for a core: what a machine at rest would show."""
    looks: int = 0
    apart: float = 0.0
    """The longest time between two looks."""
    sync: float = 0.0
    """Median of writing a few bytes durably meanwhile."""


@dataclass(slots=True)
class _Hold:
    name: str
    since: float
    waited: dict[str, float]


class Prober:
    """Looks at the locks of one state directory.

    A process that lets a lock go and takes it again between two looks seems to hold it all along:
    what is told is too long rather than too short.
    """

    def __init__(self, state: Path) -> None:
        self._state = state
        self._names: dict[int, str] = {}
        self._holds: dict[tuple[int, int], _Hold] = {}
        self.seen = Seen()
        self._syncs: list[float] = []
        self._next_sync = 0.0
        self._before = time.monotonic()

    def look(self) -> None:
        """Look once."""
        now = time.monotonic()
        self.seen.apart = max(self.seen.apart, now - self._before)
        self._before = now
        self.seen.looks += 1
        held = set(self._held())
        for pid, inode in held:
            hold = self._holds.get((pid, inode))
            if hold is None:
                self._holds[pid, inode] = _Hold(self._named(inode), now, _waited(pid))
            elif hold.name:
                self._note(hold, pid, now)
        for key in self._holds.keys() - held:
            del self._holds[key]

    def sync(self) -> None:
        """Write a few bytes durably, at most twice a second."""
        started = time.monotonic()
        if started < self._next_sync:
            return
        with (self._state / "probe").open("wb") as file:
            file.write(b"x" * 100)
            file.flush()
            os.fsync(file.fileno())
        ended = time.monotonic()
        self._syncs.append(ended - started)
        self._next_sync = ended + _BETWEEN_SYNCS
        self._before = ended  # nothing was looked at meanwhile, and nothing said to be
        self.seen.sync = statistics.median(self._syncs)

    def _note(self, hold: _Hold, pid: int, now: float) -> None:
        wall = now - hold.since
        waited = _waited(pid)
        most = max((waited[one] - hold.waited.get(one, 0.0) for one in waited), default=0.0)
        seen = self.seen
        seen.wall[hold.name] = max(seen.wall.get(hold.name, 0.0), wall)
        seen.net[hold.name] = max(seen.net.get(hold.name, 0.0), wall - most)

    def _held(self) -> Iterator[tuple[int, int]]:
        for row in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            if match := _ROW.match(row):
                yield int(match[1]), int(match[2])

    def _named(self, inode: int) -> str:
        """Return the name of a lock that others wait for; nothing for an office or no lock."""
        if inode not in self._names:
            for folder in (self._state, *self._state.glob("*"), *self._state.glob("*/*")):
                for file in folder.glob("locks/*.lock"):
                    name = "" if file.name in OFFICES else file.name
                    self._names[file.stat().st_ino] = name
            self._names.setdefault(inode, "")
        return self._names[inode]


def _waited(pid: int) -> dict[str, float]:
    """Return how long each thread of a process has waited for a core since its start."""
    found = {}
    with suppress(OSError, ValueError, IndexError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            fields = (task / "schedstat").read_text(encoding="ascii").split()
            found[task.name] = int(fields[1]) / 1e9
    return found


def main() -> None:
    """Look until standard input ends."""
    prober = Prober(Path(sys.argv[1]))
    waiting = select.poll()
    waiting.register(sys.stdin, select.POLLIN | select.POLLHUP)
    while not waiting.poll(_EVERY * 1000):
        prober.look()
        prober.sync()
    sys.stdout.write(json.dumps(asdict(prober.seen)) + "\n")


if __name__ == "__main__":
    main()
