"""One run of the archive in a process of its own, which a test kills.

    archiving.py ROOT STATE

Says `ready` when everything is loaded, waits for a line, archives, and says `ack`.
"""

from __future__ import annotations

import sys

from vademecum.service.memory import open_memory
from vademecum.testing import FrozenClock

CLOCK = "2026-03-01T10:00:00"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    root, state = sys.argv[1], sys.argv[2]
    settings = {"state.directory": state, "embedder.provider": "none", "workspace.zone": "UTC"}
    with open_memory(root, clock=FrozenClock(CLOCK), settings=settings, variables={}) as memory:
        memory.archive(dry_run=True)
        say("ready")
        sys.stdin.readline()
        memory.archive()
        say("ack")
    return 0


if __name__ == "__main__":
    sys.exit(main())
