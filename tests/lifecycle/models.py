"""Models for tests: real programs that read a prompt and print an answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock, small_embedder

Answer = Mapping[str, Sequence[str]]


def program(folder: Path, body: str) -> tuple[str, ...]:
    """Return the command of a program with that body; its prompt is in `prompt`."""
    script = folder / "model.py"
    script.write_text(f"import sys, time\nprompt = sys.stdin.read()\n{body}\n")
    return (sys.executable, "-S", "-E", str(script))


def saying(folder: Path, answer: Answer | str) -> tuple[str, ...]:
    """Return the command of a program that always prints the same."""
    said = answer if isinstance(answer, str) else json.dumps(answer)
    return program(folder, f"sys.stdout.write({said!r})")


@contextmanager
def memory_with(
    root: Path,
    clock: FrozenClock,
    *,
    command: tuple[str, ...] = (),
    timeout: float = 20.0,
    **settings: str | int | float,
) -> Iterator[Memory]:
    """Give a memory below `root` whose model is that program, or none."""
    keys: dict[str, str | int | float | bool | tuple[str, ...]] = {
        "state.directory": str(root / "state"),
        "workspace.zone": "UTC",
        "actor.name": "maya",
        "model.timeout": timeout,
        **{name.replace("__", "."): value for name, value in settings.items()},
    }
    if command:
        keys |= {"model.provider": "command", "model.command": command}
    place = root / "workspace"
    init(place, clock=clock, settings=keys, variables={})
    with open_memory(
        place, clock=clock, embedder=small_embedder(), settings=keys, variables={}
    ) as opened:
        yield opened
