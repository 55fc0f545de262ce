"""One reflection or promotion in a process of its own, which a test kills.

    reflecting.py ROOT STATE reflect|promote

Says `ready` when everything is loaded, waits for a line, runs the job, and says `ack`.
"""

from __future__ import annotations

import sys

from vademecum.service.memory import open_memory
from vademecum.testing import FrozenClock

CLOCK = "2026-01-14T23:45:00"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    root, state, job = sys.argv[1:4]
    settings = {
        "state.directory": state,
        "embedder.provider": "none",
        "workspace.zone": "UTC",
        "workspace.id": "crates",
        "actor.name": "maya",
    }
    with open_memory(root, clock=FrozenClock(CLOCK), settings=settings, variables={}) as memory:
        memory.reflect(dry_run=True)
        memory.promote(dry_run=True)
        say("ready")
        sys.stdin.readline()
        memory.reflect() if job == "reflect" else memory.promote(apply=True)
        say("ack")
    return 0


if __name__ == "__main__":
    sys.exit(main())
