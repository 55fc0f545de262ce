"""Syncs in processes that are killed at a step, each a fork of this one, which has all loaded.

    syncing.py

Reads lines of JSON: `name` and `place` of a person (see `team`), `at` as the number of the step
before which to kill, 0 for none, and `now` for the clock. Answers each with one line of JSON:
`died`, the `steps` that were begun, and what was `refused`. A step is a call that changes a file, a
`git` that is about to start, or one that has just started and then goes on by itself.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import team

import vademecum.writing.git_sync  # noqa: F401  loaded before the forks: each would load it again
from vademecum.core.errors import VademecumError
from vademecum.testing import FrozenClock

CHANGING = {"os.rename", "os.remove", "os.link", "os.mkdir", "os.truncate"}
ALONE = ("update-ref", "update-index", "read-tree", "commit-tree", "push", "fetch")
"""Commands of Git that matter when they go on after their caller was killed."""


class Steps:
    """Tells each step to the parent, and kills this process before one of them."""

    def __init__(self, at: int, told: int) -> None:
        self._at = at
        self._told = told
        self._count = 0
        self._command = ""
        self.on = False
        sys.addaudithook(self._audited)
        communicate = subprocess.Popen.communicate

        def started(process: Any, *arguments: Any, **named: Any) -> Any:
            if self._command in ALONE:
                self._step(f"{self._command} goes on")
            return communicate(process, *arguments, **named)

        subprocess.Popen.communicate = started  # type: ignore[method-assign]  # of this process alone

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "subprocess.Popen":
            words = [str(word) for word in arguments[1][1:]]
            settings = {number + 1 for number, word in enumerate(words) if word == "-c"}
            rest = [word for at, word in enumerate(words) if word != "-c" and at not in settings]
            self._command = rest[0]
            self._step(" ".join(rest[:3]))
        elif event in CHANGING:
            self._step(f"{event} {' '.join(str(one) for one in arguments[:2])}")
        elif event == "open" and isinstance(arguments[0], str) and arguments[2] & os.O_ACCMODE:
            self._step(f"open {arguments[0]}")

    def _step(self, name: str) -> None:
        if not self.on:
            return
        self._count += 1
        os.write(self._told, f"{name}\n".encode())
        if self._count == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


def sync(order: dict[str, Any], told: int) -> None:
    """Sync in this process, which may not outlive that."""
    steps = Steps(order["at"], told)
    person = team.Person(order["name"], Path(order["place"]), 0)
    person.clock = FrozenClock(order["now"])
    person.open()
    steps.on = True
    try:
        person.memory.git("sync")
    except VademecumError as error:
        steps.on = False
        os.write(told, f"\0{error}\n".encode())


def answer(order: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            sync(order, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as told:
        rows = told.read().splitlines()
    _, status = os.waitpid(child, 0)
    return {
        "died": os.WIFSIGNALED(status),
        "steps": [row for row in rows if not row.startswith("\0")],
        "refused": " ".join(row[1:] for row in rows if row.startswith("\0")),
    }


def main() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
