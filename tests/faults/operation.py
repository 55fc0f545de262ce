"""One write in a process of its own, which a test kills or hands errors to.

    operation.py ROOT STATE KIND

KIND is `append`, `new` (append to a file that is not there), `replace` or `remove`. Says `ready`
when everything is loaded, waits for a line, writes, and says `ack` and the id of the change.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from vademecum.core.changes import Signature
from vademecum.core.errors import VademecumError
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.files import Files, open_files

AT = datetime(2026, 1, 20, 10, 30, tzinfo=UTC)


def signed(verb: str) -> Signature:
    return Signature(new_entry_id(AT), AT, Actor("ada", "s"), verb)


def write(files: Files, kind: str) -> str:
    if kind == "append":
        return files.append("memory/log.md", b"\nentry\n", signed("log")).change.id
    if kind == "new":
        return files.append(
            "memory/new.md", b"\nentry\n", signed("log"), header=b"# day\n"
        ).change.id
    base = files.read("memory/note.md")
    if kind == "replace":
        done = files.replace(base, base.data.replace(b"old", b"new"), signed("edit"))
        return done.change.id if done.change else "unchanged"
    return files.remove(base, signed("undo")).id


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    root, state, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    files = open_files(root, state)
    files.read("memory/log.md")
    say("ready")
    sys.stdin.readline()
    try:
        done = write(files, kind)
    except VademecumError as error:
        say(f"refused {error.code} {error}")
        return error.exit_code
    say(f"ack {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
