"""Claude Code: its hook events and its transcript; other hosts speak the same events."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.context.events import BootEvent
from vademecum.context.hosts.heard import Fields, Heard, starts, text_at
from vademecum.context.hosts.words import cleaned, text_of, tool_text
from vademecum.context.turns import Speaker, Turn

SOURCES = {
    "startup": BootEvent.STARTUP,
    "resume": BootEvent.RESUME,
    "fork": BootEvent.RESUME,  # the window is carried over, with what was loaded into it
    "clear": BootEvent.CLEAR,
    "compact": BootEvent.COMPACT,
}
_SWEEPS = frozenset(("precompact", "sessionend", "stopfailure", "interrupt", "posttooluse"))
_OTHERS = frozenset(
    ("pretooluse", "posttoolusefailure", "posttoolbatch", "notification",
     "userpromptexpansion", "subagentstart", "subagentstop", "premodelswitch",
     "postmodelswitch", "permissionrequest", "permissiondenied", "setup", "teammateidle",
     "taskcreated", "taskcompleted", "elicitation", "elicitationresult", "configchange",
     "worktreecreate", "worktreeremove", "instructionsloaded", "cwdchanged",
     "filechanged", "directoryadded", "messagedisplay", "preskillshellcommand",)
)  # fmt: skip


class ClaudeCode:
    """Anthropic's command line agent."""

    name = "claude-code"

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
        """Return what an event of Claude Code says."""
        return heard_like_claude(self.name, event, fields)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return the turns in one row; a row of the conversation is `user` or `assistant`."""
        kind, id = row.get("type"), text_at(row, "uuid")
        if kind not in ("user", "assistant") or not id or row.get("isSidechain"):
            return ()
        message = row.get("message")
        # A summary is kept as `PostCompact` tells it; the row wraps it into words of the host.
        if row.get("isMeta") or row.get("isCompactSummary") or not isinstance(message, dict):
            return ()
        speaker: Speaker = "user" if kind == "user" else "assistant"
        at = text_at(row, "timestamp")
        content = message.get("content")
        found = []
        if text := text_of(content, "text"):
            found.append(Turn(id, speaker, text, at, self.name))
        for number, text in enumerate(_tools(content), 1):
            found.append(Turn(f"{id}#{number}", "tool", text, at, self.name))
        return tuple(found)


def _tools(content: object) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict):
            continue
        if part.get("type") == "tool_use":
            yield tool_text(str(part.get("name", "tool")), part.get("input", {}))
        elif part.get("type") == "tool_result":
            result = part.get("content", "")
            yield tool_text("→", text_of(result, "text") if isinstance(result, list) else result)


def heard_like_claude(host: str, event: str, fields: Fields) -> Heard:
    """Return what an event says in the form that Claude Code introduced.

    What happens inside of a sub-agent is not this session's conversation.
    """
    if text_at(fields, "agent_id"):
        return Heard()
    if event == "sessionstart":
        return starts(fields, SOURCES)
    if event == "userpromptsubmit":
        return Heard(said=_said(host, "user", text_at(fields, "prompt")), sweep=True)
    if event == "stop":
        return Heard(said=_said(host, "assistant", text_at(fields, "last_assistant_message")),
                     sweep=True)  # fmt: skip
    if event == "postcompact":
        return Heard(said=_said(host, "summary", text_at(fields, "compact_summary")), sweep=True)
    if event in _SWEEPS:
        return Heard(sweep=True)
    return Heard(known=event in _OTHERS)


def _said(host: str, speaker: Speaker, text: str) -> tuple[Turn, ...]:
    text = cleaned(text)
    return (Turn("", speaker, text, host=host),) if text else ()
