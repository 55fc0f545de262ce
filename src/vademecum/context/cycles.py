"""Cycles: how far a session has come, from compaction to compaction, told by its transcript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vademecum.context.capture import transcripts_of
from vademecum.context.turns import Turn
from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import lock_of, locked
from vademecum.workspace.whole import make_folders, write_whole

if TYPE_CHECKING:
    from vademecum.workspace.workspace import Workspace

_FOLDER = "flush"
_OWN = re.compile(r"compaction:\d+@(\d+)\Z")


@dataclass(frozen=True, slots=True)
class History:
    """The transcript of one session, cut into cycles.

    A cycle ends with a summary; its number is how many compactions came before it, so it is the
    same in every process and after every crash.
    """

    session: str
    turns: tuple[tuple[int, Turn], ...]
    """With their lines, from 1."""
    ends: tuple[int, ...]
    """Lines of the summaries; several without a turn between them are one."""
    kept: int
    """The first line that is in the window still, behind the last summary."""
    summary: str
    """The last one, as it was written; empty before the first."""

    @property
    def cycle(self) -> int:
        """The number of the cycle that is open."""
        return len(self.ends)

    @property
    def last(self) -> int:
        """The line of the last turn; 0 where there is none."""
        return self.turns[-1][0] if self.turns else 0

    def between(self, after: int, up_to: int) -> tuple[Turn, ...]:
        """Return what was said on the lines behind `after`, up to and with `up_to`."""
        return tuple(
            turn for line, turn in self.turns
            if after < line <= up_to and turn.speaker != "summary"
        )  # fmt: skip

    @property
    def window(self) -> tuple[tuple[int, Turn], ...]:
        """What is in the window beside the summary, with its lines."""
        return tuple(
            (line, turn) for line, turn in self.turns
            if line >= self.kept and turn.speaker != "summary"
        )  # fmt: skip


def history_of(workspace: Workspace, session: str) -> History:
    """Return what is on file of a session."""
    numbered = tuple(transcripts_of(workspace).numbered(session))
    ends: list[int] = []
    kept, summary, before = 1, "", ""
    for line, turn in numbered:
        if turn.speaker == "summary":
            if before == "summary":
                ends.pop()
            ends.append(line)
            own = _OWN.match(turn.id)
            kept = int(own[1]) if own else line + 1
            summary = turn.text
        before = turn.speaker
    return History(session, numbered, tuple(ends), kept, summary)


def summary_id(cycle: int, kept: int) -> str:
    """Return the id of the turn that is a summary of ours; it says from where turns were kept."""
    return f"compaction:{cycle}@{kept}"


@dataclass(frozen=True, slots=True)
class Flushes:
    """What is known of the flushes of one session."""

    through: int = 0
    """The last line of the transcript that a flush covered."""
    done: tuple[int, ...] = ()
    """Cycles that were flushed, or needed no flush."""
    due: tuple[int, ...] = ()
    """Cycles for which a flush was asked for."""


def flushes_of(workspace: Workspace, session: str) -> Flushes:
    """Return what is known; nothing where that was lost, and the log tells what was written."""
    try:
        kept: dict[str, Any] = json.loads(_file(workspace, session).read_bytes())
        done, due = (tuple(int(one) for one in kept[key]) for key in ("done", "due"))
        return Flushes(int(kept["through"]), done, due)
    except (OSError, ValueError, KeyError, TypeError):
        return Flushes()


def keep_flushes(workspace: Workspace, session: str, flushes: Flushes) -> None:
    """Keep what is known; durable when it returns. Raises StateUnwritable, DiskFull."""
    file = _file(workspace, session)
    row = {"through": flushes.through, "done": flushes.done, "due": flushes.due}
    with state_translated(file):
        make_folders(file.parent)
        write_whole(file, json.dumps(row, ensure_ascii=False).encode(), durable=True)


@contextmanager
def session_locked(workspace: Workspace, session: str) -> Iterator[None]:
    """Hold the session: flushes and compactions of it come one after another.

    Raises BadInput for a session without a name, LockTimeout, StateUnwritable.
    """
    if not session.strip():
        raise BadInput(
            "The call names no session.",
            hint="Name one: --session ID, or set actor.session in the configuration.",
        )
    with locked(lock_of(workspace.state / _FOLDER / "locks", _file(workspace, session).name)):
        yield


def _file(workspace: Workspace, session: str) -> Path:
    return workspace.state / _FOLDER / f"{transcripts_of(workspace).path(session).stem}.json"
