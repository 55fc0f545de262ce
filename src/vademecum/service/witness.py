"""Who said it: the turn of a user on file that states what an agent wants to have remembered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from vademecum.context.capture import transcripts_of
from vademecum.context.reply import Memory, Said, said_by_user
from vademecum.context.turns import Turn
from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound
from vademecum.core.notes import Span
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode, split
from vademecum.markdown.wording import words_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.log import append_entry

_SESSIONS = 3
"""Transcripts that are looked through: hosts and their servers name one session differently."""
_TURNS = 200
_LEAD = "User: "
_TITLE = "What the user said"


def said_on_file(workspace: Workspace, text: str, quote: str) -> Said | None:
    """Return the user's sentence that holds `quote`, or `text` itself; None where nobody said it.

    Looked for in the last 200 turns of the 3 sessions that were added to last.
    """
    for turns in _latest(workspace):
        said = said_by_user(Memory(text, quote=quote), tuple(turns))
        if said is not None:
            return said
    return None


def logged(workspace: Workspace, sentence: str, actor: Actor) -> Span:
    """Return the line of today's log that has the user's sentence, written if it is not there.

    Raises what `append_entry` raises.
    """
    path = workspace.profile.log_path(human_day(workspace.clock.now(), workspace.zone))
    wanted = words_of(_LEAD + sentence)
    span = _line(workspace, path, wanted, 1)
    if span is None:
        done = append_entry(workspace, _LEAD + sentence, actor=actor, title=_TITLE)
        span = _line(workspace, done.path, wanted, done.first)
        return span or Span(done.path, done.first, done.last)
    return span


def _latest(workspace: Workspace) -> Iterator[deque[Turn]]:
    transcripts = transcripts_of(workspace)
    for one in transcripts.sessions()[:_SESSIONS]:
        yield deque(transcripts.turns(one.session), maxlen=_TURNS)


def _line(workspace: Workspace, path: str, wanted: str, first: int) -> Span | None:
    try:
        lines = split(decode(workspace.files.read(path).data).text)
    except NoteNotFound:
        return None
    for number, line in enumerate(lines, start=1):
        if number >= first and words_of(line).lstrip("- ") == wanted:
            return Span(path, number, number)
    return None
