"""`log`: append an event to today's log, under the time it is now."""

from __future__ import annotations

from vademecum.core.changes import Written
from vademecum.core.clock import clock_time, human_day
from vademecum.core.errors import NoteNotFound, OverBudget
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.markdown.entries import log_heading, render_entry
from vademecum.workspace.workspace import Workspace
from vademecum.writing.entry_text import safe_text, safe_title
from vademecum.writing.guard import guarded
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import refuse_forgotten


def append_entry(
    workspace: Workspace,
    text: str,
    *,
    actor: Actor,
    title: str = "",
    redact: bool = False,
    group: str = "",
) -> Written:
    """Append `text` as an entry to the log of the present day; return where it stands.

    Day and time are those of the workspace's clock and zone, whatever the text says. A blank title
    becomes the first words of the text. Earlier entries are never changed, and the text cannot
    change how later ones are read. With `redact`, credentials are left out. Raises InvalidText,
    SecretFound, Refused (a line of it was forgotten), OverBudget and what any write raises.
    """
    made = drafted(workspace, text, title=title, redact=redact)
    signature = sign(workspace, actor, "log", made.title, group=group)
    day = human_day(signature.at, workspace.zone)
    path = workspace.profile.log_path(day)
    entry = made.at(clock_time(signature.at, workspace.zone))
    before = _before(workspace, path)
    data = entry.replace("\n", "\r\n" if b"\r\n" in before else "\n").encode()
    _check_size(workspace, path, len(before), len(data))
    appended = workspace.files.append(
        path,
        data,
        signature,
        header=log_heading(day, framed=workspace.profile.framed).encode(),
    )
    change = appended.change
    return Written(change.id, change.path, appended.first, appended.last, change.after)


@dataclass(frozen=True, slots=True)
class DraftedEntry:
    """An entry before it has its time: title and text as a log may hold them."""

    title: str
    text: str

    def at(self, time: str) -> str:
        """Return the entry as it stands in a log, under `time` (`HH:MM`)."""
        return render_entry(time, self.title, self.text)


def drafted(workspace: Workspace, text: str, *, title: str, redact: bool) -> DraftedEntry:
    """Return the entry that `append_entry` would write. Raises what it raises of the text."""
    text = guarded(text, "The text of the entry", redact=redact)
    named = guarded(title, "The title", redact=redact) if title.strip() else ""
    refuse_forgotten(workspace, text)
    return DraftedEntry(safe_title(named, text), safe_text(text))


def _before(workspace: Workspace, path: str) -> bytes:
    """Return what the log holds: its line ends are kept, so that one file does not get two."""
    try:
        return workspace.files.read(path).data
    except NoteNotFound:
        return b""


def _check_size(workspace: Workspace, path: str, before: int, added: int) -> None:
    """Raise OverBudget for an entry that would take a whole day out of what is searched."""
    most = workspace.settings.scan.max_bytes
    if before <= most < before + added:
        raise OverBudget(
            f"{path} would have {before + added:,} bytes, and none of it would be searched: "
            f"scan.max_bytes is {most:,}.",
            hint="Log what matters of it and where the rest is kept, or raise scan.max_bytes.",
        )
