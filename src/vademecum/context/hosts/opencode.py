"""OpenCode: events that the plugin of this product passes on, since it has no hooks itself."""

from __future__ import annotations

from vademecum.context.events import BootEvent
from vademecum.context.hosts.heard import Fields, Heard, starts, text_at
from vademecum.context.hosts.words import text_of
from vademecum.context.turns import Speaker, Turn

_SOURCES = {event.value: event for event in BootEvent}
_STARTS = {
    "sessioncreated": BootEvent.STARTUP,
    "sessioncompacted": BootEvent.COMPACT,
    "experimentalchatsystemtransform": BootEvent.STARTUP,
}
_MESSAGES = frozenset(("chatmessage", "messageupdated", "message"))
_OTHERS = frozenset(
    ("sessionidle", "sessionstatus", "experimentalsessioncompacting", "toolexecutebefore",
     "toolexecuteafter", "sessionend")
)  # fmt: skip


class OpenCode:
    """An open coding agent with JavaScript plugins."""

    name = "opencode"

    def session(self, fields: Fields) -> str:
        """Return `sessionID`, as its events spell it, or `session_id`."""
        return text_at(fields, "sessionID", "session_id")

    def folder(self, fields: Fields) -> str:
        """Return `directory` or `cwd`."""
        return text_at(fields, "directory", "cwd")

    def transcript(self, fields: Fields) -> str:
        """Return nothing: its sessions are in a database of its own."""
        del fields
        return ""

    def heard(self, event: str, fields: Fields) -> Heard:
        """Return what an event says; a message carries `role`, `parts` or `text`, `messageID`."""
        if event == "sessionstart":
            return starts(fields, _SOURCES)
        if event in _STARTS:
            return Heard(boot=_STARTS[event])
        if event in _MESSAGES:
            return Heard(said=self._message(fields))
        return Heard(known=event in _OTHERS)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return nothing: there is no file of rows."""
        del row
        return ()

    def _message(self, fields: Fields) -> tuple[Turn, ...]:
        role = text_at(fields, "role")
        if role not in ("user", "assistant"):
            return ()
        text = text_of(fields.get("text") or fields.get("parts"), "text")
        speaker: Speaker = "user" if role == "user" else "assistant"
        id = text_at(fields, "messageID", "id")
        return (Turn(id, speaker, text, host=self.name),) if text else ()
