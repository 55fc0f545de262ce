"""A process that makes many writes of every kind and says what was acknowledged.

    writer.py ROOT STATE NAME COUNT SEED [WITHOUT]

WITHOUT is `lock` or `inspection` and takes that part out, for the tests that tests can fail.
Prints one line for each acknowledged write: the file and the unique word that it put there.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from vademecum.core.changes import Signature
from vademecum.core.errors import ChangedMeanwhile
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace import displaced, locks
from vademecum.workspace.files import Files, open_files

AT = datetime(2026, 1, 20, 10, 30, tzinfo=UTC)


def take_out(part: str) -> None:
    if part == "lock":
        locks.fcntl.flock = lambda *_: None  # type: ignore[assignment]  # a fault is put in place of the real one
    if part == "inspection":
        # Whatever was displaced is taken for the base: nobody looks at its digest.
        looking = displaced.Displaced.look

        def not_looking(self, place, intent):  # type: ignore[no-untyped-def]  # a fault is put in place of the real one
            released, theirs = looking(self, place, intent)
            return released, None if theirs is None else self._records.blobs.get(intent.expected)

        displaced.Displaced.look = not_looking  # type: ignore[method-assign]  # a fault is put in place of the real one


def write(files: Files, name: str, kind: str, word: str) -> str:
    signature = Signature(new_entry_id(AT), AT, Actor(name), kind)
    if kind == "append":
        files.append("memory/log.md", f"\n{word}\n".encode(), signature, header=b"# day\n")
        return "memory/log.md"
    if kind == "create":
        files.create(f"memory/made/{word}.md", f"{word}\n".encode(), signature)
        return f"memory/made/{word}.md"
    base = files.read("memory/note.md")
    lines = base.data.splitlines(keepends=True)
    own = lines.index(f"## {name}\n".encode())
    lines.insert(own + 1, f"- {word}\n".encode())
    files.replace(base, b"".join(lines), signature)
    return "memory/note.md"


def main() -> None:
    root, state, name, count, seed = sys.argv[1:6]
    take_out(sys.argv[6] if len(sys.argv) > 6 else "")
    files = open_files(Path(root), Path(state))
    chance = random.Random(f"{seed} {name}")
    for number in range(int(count)):
        kind = chance.choices(("append", "replace", "create"), weights=(5, 4, 1))[0]
        word = f"{name}-{number}-end"
        try:
            path = write(files, name, kind, word)
        except ChangedMeanwhile:
            continue  # refused, and kept in a conflict record
        sys.stdout.write(f"{path} {word}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
