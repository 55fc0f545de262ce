"""`log`: append an event to today's log, under the time it is now."""

from __future__ import annotations

from vademecum.core.changes import Written
from vademecum.core.clock import clock_time, human_day
from vademecum.core.errors import NoteNotFound
from vademecum.core.provenance import Actor
from vademecum.markdown.entries import log_heading, render_entry
from vademecum.workspace.workspace import Workspace
from vademecum.writing.entry_text import safe_text, safe_title
from vademecum.writing.guard import guarded
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import refuse_forgotten


def append_entry(
    workspace: Workspace, text: str, *, actor: Actor, title: str = "", redact: bool = False
) -> Written:
    """Append `text` as an entry to the log of the present day; return where it stands.

    Day and time are those of the workspace's clock and zone, whatever the text says. A blank title
    becomes the first words of the text. Earlier entries are never changed, and the text cannot
    change how later ones are read. With `redact`, credentials are left out. Raises InvalidText,
    SecretFound, Refused (a line of it was forgotten) and what any write raises.
    """
    text = guarded(text, "The text of the entry", redact=redact)
    named = guarded(title, "The title", redact=redact) if title.strip() else ""
    refuse_forgotten(workspace, text)
    heading = safe_title(named, text)
    signature = sign(workspace, actor, "log", heading)
    day = human_day(signature.at, workspace.zone)
    path = workspace.profile.log_path(day)
    entry = render_entry(clock_time(signature.at, workspace.zone), heading, safe_text(text))
    appended = workspace.files.append(
        path,
        entry.replace("\n", _line_end(workspace, path)).encode(),
        signature,
        header=log_heading(day, framed=workspace.profile.framed).encode(),
    )
    change = appended.change
    return Written(change.id, change.path, appended.first, appended.last, change.after)


def _line_end(workspace: Workspace, path: str) -> str:
    """Return the line end that the log has, so that one file does not get two kinds."""
    try:
        content = workspace.files.read(path).data
    except NoteNotFound:
        return "\n"
    return "\r\n" if b"\r\n" in content else "\n"
