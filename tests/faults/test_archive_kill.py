"""SIGKILL at any system call of an archive run: the next run ends in the same files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from vademecum.core.jobs import JobReport
from vademecum.service.memory import init, open_memory
from vademecum.testing import FrozenClock

CLOCK = "2026-03-01T10:00:00"  # that of the program
PROGRAM = Path(__file__).with_name("archiving.py")
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
CHANGING = "write,pwrite64,fsync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat"  # noqa: E501
OLD = "# 2026-01-10\n\n### 10:30 — Crates\nWe moved a crate.\n"


def settings_of(place: Path) -> dict[str, str]:
    state = str(place / "state")
    return {
        "state.directory": state,
        "embedder.provider": "none",
        "workspace.zone": "UTC",
        "workspace.id": "crates",
    }


def set_up(place: Path) -> None:
    init(place / "root", clock=FrozenClock(CLOCK), settings=settings_of(place), variables={})
    memory = place / "root" / "memory"
    (memory / "reflections").mkdir()
    (memory / "2026-01-10.md").write_text(OLD)
    (memory / "reflections" / "2026-01-10.md").write_text("# A day\n\nfine\n")


def run(place: Path, *injected: str) -> list[str]:
    """Archive in another process; return the names of its changing calls in order."""
    trace = place / "trace"
    command = ["strace", "-f", "-o", str(trace), "-e", f"trace={CHANGING}", *injected]
    with subprocess.Popen(
        [*command, sys.executable, str(PROGRAM), str(place / "root"), str(place / "state")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.communicate(b"go\n", timeout=60)
    names = (CALL.match(line) for line in trace.read_text().splitlines())
    return [found[1] for found in names if found]


def archived_again(place: Path) -> JobReport:
    with open_memory(
        place / "root", clock=FrozenClock(CLOCK), settings=settings_of(place), variables={}
    ) as memory:
        report = memory.archive()
        assert memory.archive().steps == ()
        return report


def files(place: Path) -> dict[str, bytes]:
    root = place / "root"
    return {str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()}


@pytest.mark.slow
@pytest.mark.req("L-04", "B-02")
def test_a_kill_at_any_moment_and_another_run_end_in_the_same_files(
    strace: str, tmp_path: Path
) -> None:
    del strace
    whole = tmp_path / "whole"
    set_up(whole)
    calls = run(whole)
    wanted = files(whole)
    assert "memory/.archive/2026-01-10.md" in wanted and "memory/2026-01-10.md" not in wanted
    seen: Counter[str] = Counter()
    for number, name in enumerate(calls):
        seen[name] += 1
        place = tmp_path / str(number)
        set_up(place)
        run(place, "-e", f"inject={name}:signal=SIGKILL:when={seen[name]}")
        where = f"killed at {name} number {seen[name]}"
        left = files(place)
        texts = [data for path, data in left.items() if path.endswith("2026-01-10.md")]
        assert OLD.encode() in texts, where
        archived_again(place)
        assert files(place) == wanted, where
        assert not list((place / "state").rglob("*.plan")), where
