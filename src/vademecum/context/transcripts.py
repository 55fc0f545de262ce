"""Transcripts: one file a session, appended to as things are said, beside memory and not in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from vademecum.context.turns import UNCONFIRMED, Turn, decode, encode, encode_alias
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.patterns import later
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import lock_of, locked
from vademecum.workspace.tail import APPENDING, add, repaired
from vademecum.workspace.whole import make_folders, sync_folder

_FLAGS = APPENDING | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NOCTTY
_SAFE = later(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_ID = re.compile(rb'\{"id":"((?:[^"\\]|\\.)*)"')
_SUFFIX = ".jsonl"
_UNCONFIRMED = UNCONFIRMED.encode()
_BY_TOOL = b',"speaker":"tool"'
_DAY = 86_400
PATIENCE = 2.0
"""Seconds that an append waits for another one of the same session."""


@dataclass(frozen=True, slots=True)
class SessionFile:
    """The transcript of one session."""

    session: str
    path: Path
    modified: float
    """Seconds since the epoch."""
    size: int


class Transcripts:
    """The transcripts in one directory; any number of processes may append to them.

    What `append` took is durable when it returns. A row that was torn by a crash is passed over by
    readers and never joined with the next one.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def append(self, session: str, turns: Sequence[Turn]) -> tuple[Turn, ...]:
        """Add the turns that are not on file yet and return them; durable when it returns.

        A turn is known by its id. One without an id, or with an unconfirmed one, was reported
        while it happened and is known by its words: right behind itself it is the same report once
        more, and when the host tells its own id later, only the id is added. Raises
        StateUnwritable, DiskFull, LockTimeout.
        """
        if not turns:
            return ()
        path = self.path(session)
        with locked(lock_of(self.directory / "locks", path.name), PATIENCE), state_translated(path):
            state = _OnFile(path)
            added = [new for turn in turns if (new := state.take(turn)) is not None]
            if state.rows:
                self._write(path, b"".join(state.rows))
        return tuple(added)

    def turns(self, session: str) -> Iterator[Turn]:
        """Yield the turns of a session as they came; none where nothing is on file."""
        for _, turn in self.numbered(session):
            yield turn

    def numbered(self, session: str) -> Iterator[tuple[int, Turn]]:
        """Yield the turns of a session with their line in its file, from 1."""
        for number, line in enumerate(_lines(self.path(session)), 1):
            turn = decode(line)
            if turn is not None:
                yield number, turn

    def sessions(self) -> tuple[SessionFile, ...]:
        """Return what is on file, the latest first."""
        found = []
        with suppress(OSError), os.scandir(self.directory) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                    stat, name = entry.stat(), entry.name.removesuffix(_SUFFIX)
                    found.append(SessionFile(name, Path(entry.path), stat.st_mtime, stat.st_size))
        return tuple(sorted(found, key=lambda one: (-one.modified, one.session)))

    def prune(self, days: int, now: float) -> int:
        """Remove the transcripts that nothing was added to for `days` (0: none); return how many.

        `now` is in seconds since the epoch. Raises StateUnwritable.
        """
        if not days:
            return 0
        old = [one for one in self.sessions() if now - one.modified > days * _DAY]
        for one in old:
            with locked(lock_of(self.directory / "locks", one.path.name), PATIENCE):
                one.path.unlink(missing_ok=True)
                self.cursor(one.session).unlink(missing_ok=True)
        return len(old)

    def path(self, session: str) -> Path:
        """Return the file of a session; its name is the session's id where that can be a name."""
        return self.directory / f"{_name(session)}{_SUFFIX}"

    def cursor(self, session: str) -> Path:
        """Return the file that tells how far the host's own transcript was read."""
        return self.directory / "cursors" / f"{_name(session)}.json"

    def _write(self, path: Path, payload: bytes) -> None:
        made = not path.exists()
        if made:
            make_folders(path.parent)
        descriptor = os.open(path, _FLAGS | os.O_CREAT, 0o600)
        try:
            add(descriptor, repaired(descriptor, payload))
        finally:
            os.close(descriptor)
        if made:
            sync_folder(path.parent)


class _OnFile:
    """What a transcript holds already, and the rows to be added to it."""

    def __init__(self, path: Path) -> None:
        self.rows: list[bytes] = []
        self._ids: set[bytes] = set()
        self._open: dict[str, list[str]] = {}
        """Unconfirmed ids by the words of their turns."""
        self._told: dict[str, list[str]] = {}
        """Ids that the host told just now, by words: it may tell the same words once more."""
        self._made = 0
        self._last = self._last_id = ""
        """Words and id of what was said last."""
        self._read(path)

    def _read(self, path: Path) -> None:
        last = b""
        for line in _lines(path):
            found = _ID.match(line)
            if found is None or not _is_whole(line):
                continue
            self._ids.add(found[1])
            if line.startswith(b',"as":"', found.end()):
                self._close(json.loads(line)["as"])
                continue
            if not line.startswith(_BY_TOOL, found.end()):
                last = line
            if found[1].startswith(_UNCONFIRMED) and (turn := decode(line)) is not None:
                self._open.setdefault(turn.words, []).append(turn.id)
                self._made += 1
        if (turn := decode(last)) is not None:
            self._last, self._last_id = turn.words, turn.id

    def take(self, turn: Turn) -> Turn | None:
        """Add the row of a turn; return it as it is on file now, None where it was already."""
        if turn.id and _written(turn.id) in self._ids:
            return None
        words = turn.words
        confirmed = bool(turn.id) and not turn.id.startswith(UNCONFIRMED)
        same = self._open if confirmed else self._told
        known = same[words].pop(0) if same.get(words) else ""
        if not known and not confirmed and words == self._last:
            known = self._last_id
        if confirmed:
            self._told.setdefault(words, []).append(turn.id)
        if known:
            if turn.id:
                self._add(turn.id, encode_alias(turn.id, known))
            return None
        if not confirmed:
            self._made += 1
            turn = replace(turn, id=turn.id or f"{UNCONFIRMED}{self._made}-{words[:12]}")
            self._open.setdefault(words, []).append(turn.id)
        if turn.speaker != "tool":
            self._last, self._last_id = words, turn.id
        self._add(turn.id, encode(turn))
        return turn

    def _add(self, id: str, row: bytes) -> None:
        self._ids.add(_written(id))
        self.rows.append(row)

    def _close(self, id: str) -> None:
        for ids in self._open.values():
            if id in ids:
                ids.remove(id)


def _is_whole(line: bytes) -> bool:
    """Whether a row was not torn: an unescaped quote before the brace ends it."""
    row = line.rstrip(b"\n")
    if not row.endswith(b'"}'):
        return False
    return not row.endswith(b'\\"}') or decode(row) is not None


def _written(id: str) -> bytes:
    found = _ID.match(encode_alias(id, ""))
    return found[1] if found else b""


def _name(session: str) -> str:
    return session if _SAFE.match(session) else f"session-{text_digest(session)}"


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except (FileNotFoundError, NotADirectoryError):
        return
