"""Turns of a window onto file: those that are there already are known by where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from vademecum.context.capture import transcripts_of
from vademecum.context.cycles import history_of
from vademecum.context.messages import Message

if TYPE_CHECKING:
    from vademecum.workspace.workspace import Workspace


def capture_messages(workspace: Workspace, session: str, messages: Sequence[Message]) -> int:
    """Put every turn of a window on file that is not; return how many, once they are durable.

    The caller holds the session. Raises StateUnwritable, DiskFull, LockTimeout.
    """
    history = history_of(workspace, session)
    now = workspace.clock.now().isoformat(timespec="seconds")
    given = [turn for message in messages for turn in message.turns if turn.speaker != "summary"]
    on_file = [turn.words for _, turn in history.turns if turn.speaker != "summary"]
    in_window = [turn.words for _, turn in history.window]
    unknown = _unknown([turn.words for turn in given], on_file, in_window)
    added = [
        # An id of its own keeps a turn that says the same as the one before it.
        replace(turn, id=turn.id or f"m{history.last + place}-{turn.words[:12]}", at=turn.at or now)
        for place, (turn, new) in enumerate(zip(given, unknown, strict=True), 1)
        if turn.id or new
    ]
    return len(transcripts_of(workspace).append(session, added))


def _unknown(given: Sequence[str], on_file: Sequence[str], in_window: Sequence[str]) -> list[bool]:
    """Return which of the turns of a window are not on file.

    The window goes on where the file ends; where it does not, because something in it was changed,
    each turn of the window that is on file stands for one that says the same.
    """
    for length in range(min(len(given), len(on_file)), 0, -1):
        if given[0] == on_file[-length] and list(given[:length]) == list(on_file[-length:]):
            return [False] * length + [True] * (len(given) - length)
    left = Counter(in_window)
    unknown = []
    for words in given:
        unknown.append(left[words] <= 0)
        left[words] -= 1
    return unknown
