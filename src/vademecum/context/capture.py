"""Capture: what a host reports, and what its own transcript holds, onto file before it is used."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.context.hosts.heard import Fields, Heard, Host
from vademecum.context.transcripts import Transcripts
from vademecum.core.frozen import dataclass
from vademecum.markdown.secrets import redact
from vademecum.workspace.whole import make_folders, write_whole

if TYPE_CHECKING:
    from vademecum.context.turns import Turn
    from vademecum.workspace.workspace import Workspace

FOLDER = "transcripts"
_AT_ONCE = 2_000_000
"""Bytes of a host's transcript that one event reads; the next one goes on from there."""
_LONGEST_ROW = 20_000_000


@dataclass(frozen=True, slots=True)
class Captured:
    """What one event added to a transcript."""

    turns: tuple[Turn, ...] = ()
    more: bool = False
    """The host's transcript holds more than was read at once."""


def transcripts_of(workspace: Workspace) -> Transcripts:
    """Return the transcripts of a workspace, which are part of its state."""
    return Transcripts(workspace.state / FOLDER)


def capture(workspace: Workspace, host: Host, heard: Heard, fields: Fields) -> Captured:
    """Put what was heard on file; durable when it returns.

    What the host's own transcript tells comes first, so that what it reports beside is recognised
    as the same. Raises StateUnwritable, DiskFull, LockTimeout.
    """
    session = host.session(fields)
    if not session or not workspace.settings.transcripts.capture:
        return Captured()
    into = transcripts_of(workspace)
    swept = _swept(into, session, host, host.transcript(fields)) if heard.sweep else Captured()
    now = workspace.clock.now().isoformat(timespec="seconds")
    said = [turn if turn.at else replace(turn, at=now) for turn in heard.said]
    return Captured((*swept.turns, *into.append(session, _without_secrets(said))), swept.more)


def _without_secrets(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns with credentials left out: what was said once is not stored twice."""
    return [replace(turn, text=redact(turn.text)) for turn in turns]


def _swept(into: Transcripts, session: str, host: Host, named: str) -> Captured:
    descriptor = _opened(named)
    if descriptor is None:
        return Captured()
    try:
        found = os.fstat(descriptor)
        identity = [named, found.st_ino]
        start = _cursor(into, session, identity, found.st_size)
        data = os.pread(descriptor, _AT_ONCE, start)
        while b"\n" not in data and _AT_ONCE <= len(data) < _LONGEST_ROW:
            data = os.pread(descriptor, len(data) * 2, start)
    finally:
        os.close(descriptor)
    whole = data[: data.rfind(b"\n") + 1] or (data if len(data) >= _LONGEST_ROW else b"")
    if not whole:
        return Captured()
    turns = [turn for row in _rows(whole) for turn in host.turns(row)]
    added = into.append(session, _without_secrets(turns))
    after = start + len(whole)
    _keep_cursor(into, session, identity, after)
    return Captured(added, after < found.st_size and len(data) >= _AT_ONCE)


def _opened(named: str) -> int | None:
    """Open a host's transcript; None for what is no regular file, or cannot be read."""
    if not named or "\0" not in named and not Path(named).is_absolute():
        return None
    try:
        descriptor = os.open(named, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def _rows(data: bytes) -> Iterator[Fields]:
    for line in data.split(b"\n"):
        with suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row


def _cursor(into: Transcripts, session: str, identity: list[object], size: int) -> int:
    """Return where to go on; from the start where the file is another one, or nothing is known.

    Reading a row twice adds nothing, so a lost cursor costs time only.
    """
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(into.cursor(session).read_bytes())
        offset = int(kept["offset"])
        if kept["file"] == identity and 0 <= offset <= size:
            return offset
    return 0


def _keep_cursor(into: Transcripts, session: str, identity: list[object], offset: int) -> None:
    path = into.cursor(session)
    with suppress(OSError):  # see `_cursor`
        make_folders(path.parent)
        row = json.dumps({"file": identity, "offset": offset}).encode()
        write_whole(path, row, durable=False)
