"""Taking forgotten words out of transcripts: each row stays, and so does what it is known by."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from vademecum.context.transcripts import PATIENCE, Transcripts
from vademecum.context.turns import decode, encode
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.wording import key_of, occurrences
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import lock_of, locked
from vademecum.workspace.whole import write_whole

_LARGEST = 100_000_000
_NOTHING = b"{}\n"
"""Stands in for a torn row, whose words nobody can tell apart from the rest."""
_LEAD = later(r"[\s>*_#+-]*")


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """A row of a transcript that holds forgotten words; lines count from 1."""

    session: str
    line: int


def turns_holding(transcripts: Transcripts, texts: Sequence[str]) -> tuple[HeldTurn, ...]:
    """Return the rows that hold one of `texts`, in any case and over line breaks."""
    return tuple(
        HeldTurn(one.session, number)
        for one in transcripts.sessions()
        for number, row in enumerate(_rows(one.path), 1)
        if _without(row, texts, "") != row
    )


def forget_turns(
    transcripts: Transcripts, texts: Sequence[str], stone: str
) -> tuple[HeldTurn, ...]:
    """Put `[forgotten STONE]` for `texts` wherever they stand; return the rows that were changed.

    A row keeps its line and its id, and a digest of what was said: told again by a host, it is the
    same turn. Durable when it returns. Raises StateUnwritable, DiskFull, LockTimeout.
    """
    mark = f"[forgotten {stone}]"
    changed: list[HeldTurn] = []
    for one in transcripts.sessions():
        lock = lock_of(transcripts.directory / "locks", one.path.name)
        with locked(lock, PATIENCE), state_translated(one.path):
            before = list(_rows(one.path))
            after = [_without(row, texts, mark) for row in before]
            if before == after:
                continue
            write_whole(one.path, b"".join(after), durable=True)
            # A session is as old as what was last said in it.
            os.utime(one.path, (one.modified, one.modified))
        pairs = enumerate(zip(before, after, strict=True), 1)
        changed += [HeldTurn(one.session, number) for number, (old, new) in pairs if old != new]
    return tuple(changed)


def host_files_holding(transcripts: Transcripts, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the transcripts of hosts themselves that were read and hold one of `texts`.

    They belong to the host, so nothing here changes them.
    """
    patterns = [pattern for text in texts if (pattern := occurrences(text))]
    held = []
    for cursor in sorted((transcripts.directory / "cursors").glob("*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
            path = Path(str(json.loads(cursor.read_bytes())["file"][0]))
            if path.is_file() and path.stat().st_size <= _LARGEST:
                said = path.read_bytes().decode("utf-8", "replace")
                if any(pattern.search(said) for pattern in patterns):
                    held.append(str(path))
    return tuple(dict.fromkeys(held))


def _rows(path: Path) -> Iterator[bytes]:
    with suppress(FileNotFoundError), path.open("rb") as file:
        yield from file


def _without(row: bytes, texts: Sequence[str], mark: str) -> bytes:
    turn = decode(row)
    if turn is None:
        torn = row.decode("utf-8", "replace")
        patterns = (occurrences(text) for text in texts)
        return _NOTHING if any(one.search(torn) for one in patterns if one) else row
    said = _said_without(turn.text, texts, mark)
    return row if said == turn.text else encode(replace(turn, text=said, was=turn.words))


def _said_without(said: str, texts: Sequence[str], mark: str) -> str:
    for text in sorted(texts, key=len, reverse=True):
        pattern = occurrences(text)
        if pattern is not None:
            said = pattern.sub(mark, said)
    keys = {key_of(text) for text in texts}
    lines = said.split("\n")
    for number, line in enumerate(lines):
        found = _LEAD.match(line)
        at = found.end() if found else 0
        if line[at:].strip() and key_of(line[at:]) in keys:
            lines[number] = line[:at] + mark
    return "\n".join(lines)
