"""Jobs killed before each of their writes and run again, each time in processes of their own.

    jobs_killed.py PLACE EVERY

Prints one line of JSON for the undisturbed run and one for each kill: which call it was before, and
the digest of every file after the second run. Of the calls that change something, each EVERYth is
killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vademecum.core.ids import digest_of
from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock

CALLS = ("write", "fsync", "ftruncate", "replace", "rename", "link", "unlink", "mkdir")
_ID = re.compile(rb"\^[0-9a-f]{6}\b")


def opened(place: Path, at: str) -> Memory:
    settings = {
        "state.directory": str(place / "state"),
        "workspace.zone": "UTC",
        "embedder.provider": "none",
    }
    root = place / "workspace"
    if not root.exists():
        init(root, clock=FrozenClock(at), settings=settings, variables={})
    return open_memory(root, clock=FrozenClock(at), settings=settings, variables={})


def template(place: Path) -> None:
    with opened(place, "2025-11-01T10:00:00") as memory:
        memory.log("Anna moved to Oslo.", title="Old")
    with opened(place, "2025-11-01T23:45:00") as memory:
        memory.reflect()
    with opened(place, "2026-01-20T10:00:00") as memory:
        memory.log("Decided on REST over GraphQL.\n\n- [ ] Mend the pier", title="API")
        memory.log("User: I prefer short answers.", title="Talk")


def jobs(place: Path) -> None:
    with opened(place, "2026-01-20T23:45:00") as memory:
        memory.heartbeat()
        memory.reflect()
        memory.archive()


def tree(place: Path) -> dict[str, str]:
    """Return the files of the workspace; ids of claims are chosen by chance."""
    root = place / "workspace"
    return {
        str(file.relative_to(root)): digest_of(_ID.sub(b"^id", file.read_bytes()))
        for file in sorted(root.rglob("*"))
        if file.is_file()
    }


def say(place: Path, kill: int = 0) -> None:
    sys.stdout.write(json.dumps({"kill": kill, "files": tree(place)}) + "\n")
    sys.stdout.flush()


class Counting:
    """Counts the calls that change something, and kills this process before one of them."""

    def __init__(self, kill: int) -> None:
        self.calls = 0
        self._kill = kill
        for name in CALLS:
            setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == self._kill:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **more)

        return counted


def in_a_process(place: Path, kill: int = 0) -> int:
    """Run the jobs in a process; return how many calls it made, 0 where it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        counting = Counting(kill)
        jobs(place)
        with os.fdopen(writing, "w") as file:
            file.write(str(counting.calls))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not killed and status:
        raise SystemExit(f"the jobs failed: {status}")
    return int(said or 0)


def main() -> None:
    place, every = Path(sys.argv[1]), int(sys.argv[2])
    template(place / "template")

    def tried(name: str, kill: int = 0) -> tuple[int, Path]:
        copy = place / name
        shutil.copytree(place / "template", copy)
        return in_a_process(copy, kill), copy

    total, whole = tried("whole")
    say(whole)
    in_a_process(whole)
    say(whole)
    for kill in range(1, total + 1, every):
        _, copy = tried(f"killed-{kill}", kill)
        in_a_process(copy)
        say(copy, kill)
        shutil.rmtree(copy)


if __name__ == "__main__":
    main()
