"""The hosts that are known by name."""

from __future__ import annotations

import importlib
from typing import cast

from vademecum.context.hosts.heard import Host
from vademecum.core.errors import BadInput

# By module and class: an event of one host does not load the others.
HOSTS = {
    "claude-code": ("claude_code", "ClaudeCode"),
    "codex": ("codex", "Codex"),
    "gemini": ("gemini", "Gemini"),
    "opencode": ("opencode", "OpenCode"),
    "cursor": ("cursor", "Cursor"),
    "vscode": ("claude_code", "ClaudeCode"),
    "claude-format": ("claude_format", "ClaudeFormat"),
}


def host_named(name: str) -> Host:
    """Return the host of that name. Raises BadInput."""
    place = HOSTS.get(name)
    if place is None:
        raise BadInput(f"There is no host {name[:60]!r}.", hint=f"Hosts are: {', '.join(HOSTS)}.")
    module = importlib.import_module("vademecum.context.hosts." + place[0])
    return cast("Host", getattr(module, place[1])())
