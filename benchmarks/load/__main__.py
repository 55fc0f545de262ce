"""`python -m benchmarks.load`: eight processes at work in one memory, and what their history shows.

Two MCP servers, two lines of commands, hooks, a watcher, jobs, a program, and a person who edits
by hand do random things for a while. Ends with 1 if anything acknowledged is not there exactly
once, if anything is there that nobody asked for, or if a lock that others wait for was held for
over a second.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.load.alone import KINDS, Alone
from benchmarks.load.history import Checker, History, Operation
from benchmarks.load.locks import Seen
from benchmarks.load.workers import (
    Commands,
    Hooks,
    Jobs,
    Person,
    Program,
    Server,
    Watcher,
    Worker,
    Writer,
)
from vademecum.service.memory import init
from vademecum.workspace.workspace import open_workspace

_RESULTS = Path(__file__).resolve().parent.parent / "RESULTS.md"
_BEGIN, _END = "<!-- load:begin -->", "<!-- load:end -->"
_LONGEST_HOLD = 1.0
_SYNCS_IN_A_HOLD = 40
"""Where a sync takes over 25 ms, the disk is at fault and not the lock: so many may fit in."""
_ROUND = 60.0
"""Seconds of work between two rests."""
_WRITERS = 8
_SOURCE = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Run, print what was found, and return whether anything was amiss."""
    given = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vademecum-load-", dir=given.place) as made:
        place = Path(made)
        seconds = given.minutes * 60 or given.seconds
        return _run(place, seconds, given.writers, given.seed, write=given.write)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--writers", type=float, default=0.0, help="seconds for which eight only write, afterwards"
    )
    parser.add_argument("--place", help="make the workspace below this directory")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    return parser


def _run(place: Path, seconds: float, writers: float, seed: int, *, write: bool) -> int:
    root, state = place / "notes", place / "state"
    environment = _environment(place)
    init(root, variables=environment)
    history = History()
    given = (root, history, seed, environment)
    prober = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.load.locks", str(state)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    workers = _workers(root, history, seed, environment)
    timed = [Alone(*given)]
    _let_work(workers, seconds, timed[0])
    if writers:
        only = [Writer(f"writer-{number}", *given) for number in range(1, _WRITERS + 1)]
        timed.append(Alone(*given))
        _let_work(only, writers, timed[1])
        workers += only
    for alone in timed:
        alone.end()
    seen = Seen(**json.loads(prober.communicate()[0]))
    stuck = [worker.name for worker in workers if worker.is_alive()]
    idle = [worker.name for worker in workers if not worker.count]
    workspace = open_workspace(root, variables=environment)
    problems = [
        *(f"{name} did not end" for name in stuck),
        *(f"{name} did nothing" for name in idle),
        *Checker(workspace, history).problems(),
    ]
    limit = max(_LONGEST_HOLD, _SYNCS_IN_A_HOLD * seen.sync)
    problems += [
        f"{name} was held for {held:.2f} s"
        for name, held in sorted(seen.net.items())
        if held > limit
    ]
    aside = {id(one) for alone in timed for one in (*alone.timed, *alone.other)}
    loaded = [one for one in history.operations if id(one) not in aside]
    table = [
        *_heading(seconds, loaded, workers),
        *_times(timed[0].timed, loaded),
        *(_only_writers(writers, timed[1].timed, loaded) if writers else ()),
        *_holds(seen),
    ]
    told = "\n".join([*table, "", *(f"PROBLEM: {one}" for one in problems)])
    print(told)
    if write:
        _put("\n".join(table))
    return 1 if problems else 0


def _environment(place: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "PYTHONPATH": os.pathsep.join((str(_SOURCE / "src"), str(_SOURCE))),
        "HOME": str(place),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "XDG_CONFIG_HOME": str(place / "config"),
        "VADE_STATE_DIRECTORY": str(place / "state"),
        "VADE_EMBEDDER_PROVIDER": "hashing",
    }


def _let_work(workers: list[Worker], seconds: float, alone: Alone) -> None:
    """Let all work, and one write alone before, after, and every minute while they rest."""
    for worker in workers:
        worker.rest()
        worker.start()
    for worker in workers:
        worker.ready.wait(180)
    alone.write()
    rounds = max(1, round(seconds / _ROUND))
    for _ in range(rounds):
        for worker in workers:
            worker.go_on()
        time.sleep(seconds / rounds)
        for worker in workers:
            worker.rest()
        for worker in workers:
            worker.resting.wait(180)
        alone.write()
    for worker in workers:
        worker.stopping.set()
        worker.go_on()
    for worker in workers:
        worker.join(180)


def _workers(root: Path, history: History, seed: int, environment: dict[str, str]) -> list[Worker]:
    given = (root, history, seed, environment)
    return [
        Server("server-1", *given),
        Server("server-2", *given),
        Commands("commands-1", *given),
        Commands("commands-2", *given),
        Hooks("hooks", *given),
        Watcher("watcher", *given),
        Jobs("jobs", *given),
        Program("program", *given),
        Person("person", root, history, seed),
    ]


def _heading(seconds: float, done: list[Operation], workers: list[Worker]) -> list[str]:
    ends = Counter(one.end for one in done)
    calls = ", ".join(f"{worker.name} {worker.count:,}" for worker in workers if worker.count)
    return [
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {seconds:.0f} s, load at the "
        f"end {os.getloadavg()[0]:.1f}. Calls: {calls}. "
        f"Writes: {ends['ok']:,} acknowledged, {ends['refused']:,} refused, "
        f"{ends['unknown']:,} unknown.",
        "",
    ]


def _times(alone: list[Operation], loaded: list[Operation]) -> list[str]:
    """Return how long writes took among all the others, beside the same write alone."""
    rows = [
        "| a write | alone p50 | alone p95 | loaded p50 | loaded p95 | p95 : p95 | target |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for letter, how in KINDS.items():
        for kind in ("log", "remember"):
            before, during = _took(alone, kind, letter), _took(loaded, kind, letter)
            if before and during:
                rows.append(f"| `{kind}` {how} | {_compared(before, during)} | ≤ 10 |")
    return [*rows, ""]


def _only_writers(seconds: float, alone: list[Operation], loaded: list[Operation]) -> list[str]:
    """Return how long writes took where eight programs did nothing else."""
    rows = [
        f"Eight programs that only write, for {seconds:.0f} s afterwards:",
        "",
        "| a write | alone p50 | alone p95 | of eight p50 | of eight p95 | p95 : p95 | target |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for kind in ("log", "remember"):
        cells = _compared(_took(alone, kind, "p"), _took(loaded, kind, Writer.letter))
        rows.append(f"| `{kind}` by the library | {cells} | ≤ 10 |")
    return [*rows, ""]


def _took(operations: list[Operation], kind: str, letter: str) -> list[float]:
    """Return how long the acknowledged operations of a kind and a sort of writer took, sorted."""
    of_them = (one for one in operations if one.kind == kind and one.end == "ok")
    return sorted(one.took for one in of_them if one.word.startswith(f"zq{letter}"))


def _compared(before: list[float], during: list[float]) -> str:
    times = [_part(values, part) for values in (before, during) for part in (0.5, 0.95)]
    cells = [f"{1000 * one:.0f} ms" for one in times]
    return f"{' | '.join(cells)} | {times[3] / times[1]:.1f}"


def _holds(seen: Seen) -> list[str]:
    longest = sorted(seen.net.items(), key=lambda row: -row[1])[:5]
    held = ", ".join(
        f"`{name}` {1000 * net:.0f} ms ({1000 * seen.wall[name]:.0f} with waiting for a core)"
        for name, net in longest
    )
    return [
        f"Longest holds of locks that others wait for: {held}; looked at {seen.looks:,} times, at "
        f"most {1000 * seen.apart:.0f} ms apart. A write and sync of 100 bytes took "
        f"{1000 * seen.sync:.0f} ms meanwhile (median)."
    ]


def _part(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))]


def _put(table: str) -> None:
    text = _RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    _RESULTS.write_text(f"{before}{_BEGIN}\n{table}\n{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
