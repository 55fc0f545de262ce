"""Codex: the events of Claude Code, and rollouts of its own form."""

from __future__ import annotations

from dataclasses import replace

from vademecum.context.hosts.claude_code import heard_like_claude
from vademecum.context.hosts.heard import Fields, Heard, text_at
from vademecum.context.hosts.words import text_of, tool_text
from vademecum.context.turns import UNCONFIRMED, Speaker, Turn
from vademecum.core.ids import text_digest

_NOT_SAID = ("# AGENTS.md", "<INSTRUCTIONS>", "<user_instructions>", "<environment_context>")
_ITEMS: dict[str, Speaker] = {"UserMessage": "user", "AgentMessage": "assistant"}
_TEXTS = ("input_text", "output_text", "text", "Text")


class Codex:
    """OpenAI's command line agent."""

    name = "codex"

    def session(self, fields: Fields) -> str:
        """Return `session_id`."""
        return text_at(fields, "session_id")

    def folder(self, fields: Fields) -> str:
        """Return `cwd`."""
        return text_at(fields, "cwd")

    def transcript(self, fields: Fields) -> str:
        """Return `transcript_path`: the rollout."""
        return text_at(fields, "transcript_path")

    def heard(self, event: str, fields: Fields) -> Heard:
        """Return what an event of Codex says."""
        return heard_like_claude(self.name, event, fields)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return the turns in one row of a rollout.

        A message may stand there twice, as a response item and as a completed item: the latter has
        an unconfirmed id, so that it adds nothing beside the former.
        """
        payload = row.get("payload")
        if not isinstance(payload, dict):
            return ()
        if payload.get("type") == "message":
            return self._message(row, payload.get("role"), payload.get("content"))
        if payload.get("type") == "item_completed" and isinstance(payload.get("item"), dict):
            item = payload["item"]
            said = self._message(row, _ITEMS.get(text_at(item, "type")), item.get("content"))
            return tuple(replace(turn, id=f"{UNCONFIRMED}{turn.id}") for turn in said)
        if payload.get("type") in ("function_call", "custom_tool_call"):
            call = payload.get("arguments", payload.get("input", ""))
            return self._tool(row, tool_text(str(payload.get("name", "tool")), call))
        if payload.get("type") in ("function_call_output", "custom_tool_call_output"):
            return self._tool(row, tool_text("→", payload.get("output", "")))
        return ()

    def _message(self, row: Fields, role: object, content: object) -> tuple[Turn, ...]:
        if role not in ("user", "assistant"):
            return ()
        raw = content if isinstance(content, str) else _first(content)
        text = text_of(content, *_TEXTS)
        if not text or raw.lstrip().startswith(_NOT_SAID):
            return ()
        speaker: Speaker = "user" if role == "user" else "assistant"
        return (Turn(_id(row, speaker, text), speaker, text, text_at(row, "timestamp"), self.name),)

    def _tool(self, row: Fields, text: str) -> tuple[Turn, ...]:
        at = text_at(row, "timestamp")
        return (Turn(_id(row, "tool", text), "tool", text, at, self.name),)


def _first(content: object) -> str:
    if isinstance(content, list) and content and isinstance(content[0], dict):
        return str(content[0].get("text", ""))
    return ""


def _id(row: Fields, speaker: str, text: str) -> str:
    """Return an id that the same row always gets: from its number, its time and its words."""
    number = row.get("ordinal")
    made = text_digest(f"{text_at(row, 'timestamp')}\0{speaker}\0{text}")[:16]
    return f"{number}-{made}" if isinstance(number, int) else made
