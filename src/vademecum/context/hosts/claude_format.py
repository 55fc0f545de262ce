"""Whoever loads a plugin in the format of Claude Code: its events, and the transcripts of both."""

from __future__ import annotations

from vademecum.context.hosts.claude_code import ClaudeCode
from vademecum.context.hosts.codex import Codex
from vademecum.context.hosts.heard import Fields, Heard, text_at
from vademecum.context.turns import Turn


class ClaudeFormat:
    """Claude Code or Codex: one plugin serves both, and no event says which of them calls."""

    name = "claude-format"

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
        """Return what an event says; only events of Codex have a `turn_id`."""
        spoken = Codex() if "turn_id" in fields else ClaudeCode()
        return spoken.heard(event, fields)

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return the turns in one row; only rows of Codex have a `payload`."""
        return Codex().turns(row) if "payload" in row else ClaudeCode().turns(row)
