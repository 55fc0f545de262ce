"""Cursor: camel-case events, one conversation a session."""

from __future__ import annotations

from vademecum.context.events import BootEvent
from vademecum.context.hosts.heard import Fields, Heard, text_at
from vademecum.context.hosts.words import cleaned
from vademecum.context.turns import Speaker, Turn

_OTHERS = frozenset(
    ("pretooluse", "posttooluse", "afterfileedit", "aftermcpexecution", "precompact", "stop",
     "sessionend")
)  # fmt: skip


class Cursor:
    """An editor with an agent."""

    name = "cursor"

    def session(self, fields: Fields) -> str:
        """Return `conversation_id` or `session_id`."""
        return text_at(fields, "conversation_id", "session_id")

    def folder(self, fields: Fields) -> str:
        """Return the first of `workspace_roots`, or `cwd`."""
        roots = fields.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else ""
        return first if isinstance(first, str) and first else text_at(fields, "cwd")

    def transcript(self, fields: Fields) -> str:
        """Return nothing: the form of its transcripts is not documented."""
        del fields
        return ""

    def heard(self, event: str, fields: Fields) -> Heard:
        """Return what an event says; a session's start has no source and is a new one."""
        if event == "sessionstart":
            return Heard(boot=BootEvent.STARTUP)
        if event == "beforesubmitprompt":
            return Heard(said=self._said("user", text_at(fields, "prompt")))
        if event == "afteragentresponse":
            return Heard(said=self._said("assistant", text_at(fields, "text")))
        return Heard(known=event in _OTHERS)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return nothing: there is no transcript to read."""
        del row
        return ()

    def _said(self, speaker: Speaker, text: str) -> tuple[Turn, ...]:
        text = cleaned(text)
        return (Turn("", speaker, text, host=self.name),) if text else ()
