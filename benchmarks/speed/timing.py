"""Time and memory of functions and of whole processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True)
class Run:
    """One process, from start to end."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of all its threads, user and system."""
    peak: float
    """Largest resident set, in megabytes."""
    output: str


def run(command: Sequence[str], environment: Mapping[str, str], given: Path | None = None) -> Run:
    """Run `command` and return what it took. Raises RuntimeError when it fails.

    `given` is a file that it gets as its standard input.
    """
    with (given or Path(os.devnull)).open("rb") as source:
        return _run(command, environment, source)


def _run(command: Sequence[str], environment: Mapping[str, str], source: IO[bytes]) -> Run:
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    # Its output is short (one answer), so that no pipe fills while the other is read.
    output, complaint = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}: {complaint}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def alternately(
    times: int, first: Callable[[], float], second: Callable[[], float]
) -> tuple[float, float]:
    """Return both medians; the two take turns, so that a busy machine slows both alike."""
    pairs = [(first(), second()) for _ in range(times)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def seconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def median_of(times: int, call: Callable[[], float]) -> float:
    """Return the median of what `call` returns."""
    return statistics.median(call() for _ in range(times))
