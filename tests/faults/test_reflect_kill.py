"""SIGKILL at system calls of a reflection or a promotion: the next run ends in the same files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock

DAYS = ("2026-01-11", "2026-01-12", "2026-01-13", "2026-01-14")
PROGRAM = Path(__file__).with_name("reflecting.py")
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
CHANGING = "write,pwrite64,fsync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat"
MADE_ID = re.compile(rb"\^[0-9a-f]{6}")
EVERY = 9
"""Of so many system calls one is killed at: both jobs make hundreds."""


def opened(place: Path, clock: FrozenClock) -> Memory:
    settings = {
        "state.directory": str(place / "state"),
        "embedder.provider": "none",
        "workspace.zone": "UTC",
        "workspace.id": "crates",
        "actor.name": "maya",
    }
    init(place / "root", clock=clock, settings=settings, variables={})
    return open_memory(place / "root", clock=clock, settings=settings, variables={})


def set_up(place: Path) -> None:
    clock = FrozenClock("2026-01-10T09:00:00")
    with opened(place, clock) as memory:
        memory.remember("Services talk REST", tag="stated", by_person=True)
        for day in DAYS:
            clock.move_to(f"{day}T10:00:00")
            memory.log("User: Services talk REST.", title="Talk")
        memory.log("User: We decided to host in Oslo.\n- User: I prefer tea.", title="Plans")


def run(place: Path, job: str, *injected: str) -> list[str]:
    """Run the job in another process; return the names of its changing calls in order."""
    trace = place / "trace"
    command = ["strace", "-f", "-o", str(trace), "-e", f"trace={CHANGING}", *injected]
    program = [sys.executable, str(PROGRAM), str(place / "root"), str(place / "state"), job]
    with subprocess.Popen(
        [*command, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.communicate(b"go\n", timeout=60)
    names = (CALL.match(line) for line in trace.read_text().splitlines())
    return [found[1] for found in names if found]


def again(place: Path, job: str) -> None:
    with opened(place, FrozenClock(f"{DAYS[-1]}T23:50:00")) as memory:
        memory.reflect() if job == "reflect" else memory.promote(apply=True)
        before = files(place)
        memory.reflect() if job == "reflect" else memory.promote(apply=True)
        assert files(place) == before


def files(place: Path) -> dict[str, bytes]:
    root = place / "root"
    found = {str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()}
    return {path: MADE_ID.sub(b"^id", data) for path, data in found.items()}


@pytest.mark.slow
@pytest.mark.req("L-02", "L-03", "B-02")
@pytest.mark.parametrize("job", ["reflect", "promote"])
def test_a_kill_and_another_run_end_in_the_same_files(
    strace: str, tmp_path: Path, job: str
) -> None:
    del strace
    start = tmp_path / "start"
    set_up(start)
    whole = tmp_path / "whole"
    shutil.copytree(start, whole)
    calls = run(whole, job)
    wanted = files(whole)
    told = wanted[f"memory/reflections/{DAYS[-1]}.md" if job == "reflect" else "MEMORY.md"]
    assert b"REST" in told
    seen: Counter[str] = Counter()
    for number, name in enumerate(calls):
        seen[name] += 1
        if number % EVERY:
            continue
        place = tmp_path / str(number)
        shutil.copytree(start, place)
        run(place, job, "-e", f"inject={name}:signal=SIGKILL:when={seen[name]}")
        again(place, job)
        assert files(place) == wanted, f"killed at {name} number {seen[name]}"
        assert not list((place / "state").rglob("*.plan"))
        shutil.rmtree(place)
