"""A program with one memory open: `program.py ROOT` carries out what it reads, a row each."""

from __future__ import annotations

import json
import sys

from vademecum.core.errors import VademecumError
from vademecum.service.memory import Memory, open_memory
from vademecum.surfaces.rendering.as_json import document


def main() -> None:
    """Answer every row of standard input with one of standard output."""
    with open_memory(sys.argv[1], agent="program") as memory:
        for row in sys.stdin:
            sys.stdout.write(json.dumps(answer(memory, json.loads(row))) + "\n")
            sys.stdout.flush()


def answer(memory: Memory, asked: dict[str, str]) -> dict[str, object]:
    """Carry out one row."""
    try:
        if asked["verb"] == "sync":
            memory.sync(vectors=False)
            return {"code": 0}
        if asked["verb"] == "log":
            done: object = memory.log(asked["text"])
        else:
            done = memory.remember(asked["text"], kind="fact")
        return {**json.loads(document(done)), "code": 0}
    except VademecumError as error:
        return {"code": error.exit_code, "told": str(error)}


if __name__ == "__main__":
    main()
