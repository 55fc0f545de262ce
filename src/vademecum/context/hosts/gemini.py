"""Gemini CLI: events of its own, and a transcript with rows that patch earlier ones."""

from __future__ import annotations

from vademecum.context.events import BootEvent
from vademecum.context.hosts.heard import Fields, Heard, starts, text_at
from vademecum.context.hosts.words import cleaned, text_of
from vademecum.context.turns import Speaker, Turn

_SOURCES = {
    "startup": BootEvent.STARTUP,
    "resume": BootEvent.RESUME,
    "clear": BootEvent.CLEAR,
    "compress": BootEvent.COMPACT,
    "compact": BootEvent.COMPACT,
}
_SWEEPS = frozenset(("sessionend", "precompress"))
_OTHERS = frozenset(
    ("beforemodel", "aftermodel", "beforetoolselection", "beforetool", "aftertool", "notification")
)


class Gemini:
    """Google's command line agent."""

    name = "gemini"

    def session(self, fields: Fields) -> str:
        """Return `session_id`."""
        return text_at(fields, "session_id")

    def folder(self, fields: Fields) -> str:
        """Return `cwd`."""
        return text_at(fields, "cwd")

    def transcript(self, fields: Fields) -> str:
        """Return `transcript_path`."""
        return text_at(fields, "transcript_path")

    def heard(self, event: str, fields: Fields) -> Heard:
        """Return what an event says; the prompt may hold what hooks put in before, which goes."""
        if event == "sessionstart":
            return starts(fields, _SOURCES)
        if event == "beforeagent":
            return Heard(said=self._said("user", text_at(fields, "prompt")), sweep=True)
        if event == "afteragent":
            reply = text_at(fields, "prompt_response")
            return Heard(said=self._said("assistant", reply), sweep=True)
        if event in _SWEEPS:
            return Heard(sweep=True)
        return Heard(known=event in _OTHERS)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return the turn in one row; rows that patch others, or tell of the session, have none."""
        kind, id = row.get("type"), text_at(row, "id")
        if kind not in ("user", "gemini") or not id:
            return ()
        text = text_of(row.get("content"), "text")
        speaker: Speaker = "user" if kind == "user" else "assistant"
        return (Turn(id, speaker, text, text_at(row, "timestamp"), self.name),) if text else ()

    def _said(self, speaker: Speaker, text: str) -> tuple[Turn, ...]:
        text = cleaned(text)
        return (Turn("", speaker, text, host=self.name),) if text else ()
