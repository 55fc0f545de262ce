"""One session of an agent with memory, which can be made to die before its Nth durable step.

Run as `talking.py ROOT PART N`: what was acknowledged is printed, a row each. `N` 0 kills nothing.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from vademecum.service.memory import open_memory
from vademecum.testing import FrozenClock, small_embedder

SESSION = "0a1b2c3d-4e5f-4789-abcd-0123456789ab"
REPLY = """\
- decision: All services talk REST. | "We decided on REST for all services"
- preference: Replies are in German. | "I prefer replies in German"
"""
FIRST = [
    {"role": "user", "content": "We decided on REST for all services. Please start."},
    {"role": "assistant", "content": "I start with src/api/server.py."},
]
SECOND = [
    {"role": "user", "content": "I prefer replies in German. Actually, use MySQL, not Postgres."},
    {"role": "assistant", "content": "Verstanden. " + "Die Tabelle wird angelegt. " * 60},
]
THIRD = [
    {"role": "user", "content": "What is still missing?"},
    {"role": "assistant", "content": "The tests. " + "They need a running database. " * 60},
]
ALL: list[Any] = FIRST + SECOND + THIRD


def die_before(number: int) -> None:
    """Kill this process before its `number`th call that makes something durable or gives a name."""
    left = [number]

    def counted(call: Any) -> Any:
        def before(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*given, **named)

        return before

    for name in ("fsync", "link", "replace", "write"):
        setattr(os, name, counted(getattr(os, name)))


def main(root: Path, part: str, number: int) -> None:
    """Talk from the beginning (`whole`), or go on after a crash (`rest`)."""
    say = sys.stdout.write
    memory = open_memory(
        root / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(root / "state"), "workspace.zone": "UTC"},
        variables={},
    )
    if number:
        die_before(number)
    if part == "whole":
        memory.flush(window=30_000, tokens=100, messages=FIRST, session=SESSION)
        say("turns 2\n")
        sys.stdout.flush()
        memory.flush(window=30_000, tokens=20_000, messages=FIRST + SECOND, session=SESSION)
        say("turns 4\n")
        sys.stdout.flush()
    else:
        memory.flush(window=30_000, tokens=20_000, messages=ALL, session=SESSION)
    memory.flush(REPLY, session=SESSION)
    say("flushed\n")
    sys.stdout.flush()
    memory.compact(ALL, session=SESSION, keep=500)
    say("turns 6\ncompacted\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
