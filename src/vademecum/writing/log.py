"""`log`: append an event to today's log, under the time it is now."""

from __future__ import annotations

from datetime import date

from vademecum.core.changes import Written
from vademecum.core.clock import clock_time, human_day
from vademecum.core.errors import NoteNotFound, OverBudget
from vademecum.core.forms import LogForm
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.markdown.entries import form_of_log, log_heading, render_entry
from vademecum.markdown.lines import decode
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
        header=header_of_log(workspace, day).encode(),
    )
    change = appended.change
    return Written(change.id, change.path, appended.first, appended.last, change.after)


@dataclass(frozen=True, slots=True)
class DraftedEntry:
    """An entry before it has its time: title and text as a log may hold them."""

    title: str
    text: str
    form: LogForm = LogForm.HEADING
    titled: bool = True
    """Whether the title was given, and is no repetition of the text."""

    def at(self, time: str) -> str:
        """Return the entry as it stands in a log, under `time` (`HH:MM`)."""
        shown = self.titled or self.form is not LogForm.BULLET
        return render_entry(time, self.title if shown else "", self.text, self.form)


def drafted(workspace: Workspace, text: str, *, title: str, redact: bool) -> DraftedEntry:
    """Return the entry that `append_entry` would write. Raises what it raises of the text."""
    text = guarded(text, "The text of the entry", redact=redact)
    named = guarded(title, "The title", redact=redact) if title.strip() else ""
    refuse_forgotten(workspace, text)
    form = workspace.profile.log_form
    if form is LogForm.BULLET:
        path = workspace.profile.log_path(human_day(workspace.clock.now(), workspace.zone))
        form = form_of_log(decode(_before(workspace, path)).text, form)
    return DraftedEntry(safe_title(named, text), safe_text(text), form, bool(named.strip()))


def header_of_log(workspace: Workspace, day: date) -> str:
    """Return what a new log of that day begins with in this workspace."""
    profile = workspace.profile
    return log_heading(day, framed=profile.framed, form=profile.log_form)


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
