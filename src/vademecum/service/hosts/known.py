"""Each host that can be set up: which files it reads, and what goes into them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.service.hosts.pieces import Item, Member, Piece, Table, Whole
from vademecum.service.hosts.setting import Setting

NAME = "vademecum"
"""Of the server, the skill and the plugin in every host."""
_SECONDS = 10
_LAST_SECONDS = 5  # Claude Code ends a session's last hooks after 1.5 seconds without it
_START_SECONDS = 20

Placed = tuple[Path, Piece]


@dataclass(frozen=True, slots=True)
class Known:
    """A host: what is put where, and whether a project can have its own."""

    name: str
    title: str
    placed: Callable[[Setting], Iterator[Placed]]
    events: tuple[str, ...] = ()
    """The hooks that it gets."""
    projects: bool = True
    afterwards: str = ""
    """What is left to the user."""


def known(name: str) -> Known:
    """Return the host of that name. Raises BadInput."""
    for host in KNOWN:
        if host.name == name:
            return host
    named = ", ".join(host.name for host in KNOWN)
    raise BadInput(f"There is no host {name[:60]!r} to set up.", hint=f"Hosts are: {named}.")


# ---------------------------------------------------------------- parts that several have


def _text(name: str) -> str:
    return (files("vademecum.service.hosts") / "texts" / name).read_text(encoding="utf-8")


def _skill(folder: Path) -> Placed:
    return folder / "skills" / NAME / "SKILL.md", Whole(_text("SKILL.md"))


def _server(setting: Setting, **more: object) -> dict[str, object]:
    """Return the entry of an MCP server in the form that most hosts share."""
    program, *rest = setting.words("mcp")
    found: dict[str, object] = {"command": program, "args": rest}
    if passed := setting.passed_on():
        found["env"] = passed
    return found | more


def _hook(setting: Setting, host: str, event: str, **more: object) -> Piece:
    """Return a hook in the form of Claude Code."""
    command = setting.command("hook", host, event)
    handler: dict[str, object] = {"type": "command", "command": command} | more
    return Item(("hooks", event), {"hooks": [handler]}, f" hook {host} {event}")


# ---------------------------------------------------------------- one function a host

_CLAUDE_EVENTS = (
    "SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd",
)  # fmt: skip
_GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
_CURSOR_EVENTS = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse")


def _seconds(event: str) -> int:
    return _LAST_SECONDS if event == "SessionEnd" else _SECONDS


def _claude_code(setting: Setting) -> Iterator[Placed]:
    own = setting.folder("CLAUDE_CONFIG_DIR", setting.home / ".claude")
    folder = setting.project / ".claude" if setting.project else own
    beside = own if setting.variables.get("CLAUDE_CONFIG_DIR") else setting.home
    servers = setting.project / ".mcp.json" if setting.project else beside / ".claude.json"
    for event in _CLAUDE_EVENTS:
        hook = _hook(setting, "claude-code", event, timeout=_seconds(event))
        yield folder / "settings.json", hook
    yield servers, Member(("mcpServers", NAME), _server(setting, type="stdio"))
    yield _skill(folder)


def _codex(setting: Setting) -> Iterator[Placed]:
    own = setting.folder("CODEX_HOME", setting.home / ".codex")
    folder = setting.project / ".codex" if setting.project else own
    for event in _CLAUDE_EVENTS:
        yield folder / "hooks.json", _hook(setting, "codex", event, timeout=_seconds(event))
    # Without `required`, a server that needs a second to start has no tools in the first turn.
    server = _server(setting, startup_timeout_sec=_START_SECONDS, required=True)
    yield folder / "config.toml", Table(("mcp_servers", NAME), server)
    yield _skill(folder)


def _gemini(setting: Setting) -> Iterator[Placed]:
    folder = (setting.project or setting.home) / ".gemini"
    for event in _GEMINI_EVENTS:
        hook = _hook(setting, "gemini", event, name=f"{NAME}-{event}", timeout=_SECONDS * 1_000)
        yield folder / "settings.json", hook
    yield folder / "settings.json", Member(("mcpServers", NAME), _server(setting))
    yield _skill(folder)


def _opencode(setting: Setting) -> Iterator[Placed]:
    own = setting.config_home() / "opencode"
    folder = setting.project / ".opencode" if setting.project else own
    entry: dict[str, object] = {
        "type": "local", "command": setting.words("mcp"), "enabled": True,
    }  # fmt: skip
    if passed := setting.passed_on():
        entry["environment"] = passed
    place = (setting.project or own) / "opencode.json"
    yield place, Member(("mcp", NAME), entry)
    yield folder / "plugins" / f"{NAME}.js", Whole(_plugin(setting))
    yield _skill(folder)


def _plugin(setting: Setting) -> str:
    import json  # noqa: PLC0415  only this host has a program in its own language

    words = json.dumps(setting.words("hook", "opencode"), ensure_ascii=False)
    return _text("opencode.js").replace('["vade", "hook", "opencode"]', words)


def _openclaw(setting: Setting) -> Iterator[Placed]:
    folder = setting.folder("OPENCLAW_STATE_DIR", setting.home / ".openclaw")
    yield folder / "openclaw.json", Member(("mcp", "servers", NAME), _server(setting))
    yield _skill(folder)


def _cursor(setting: Setting) -> Iterator[Placed]:
    folder = (setting.project or setting.home) / ".cursor"
    yield folder / "hooks.json", Member(("version",), 1, shared=True)
    for event in _CURSOR_EVENTS:
        command = setting.command("hook", "cursor", event)
        yield (
            folder / "hooks.json",
            Item(("hooks", event), {"command": command}, f" hook cursor {event}"),
        )
    yield folder / "mcp.json", Member(("mcpServers", NAME), _server(setting))


def _vscode(setting: Setting) -> Iterator[Placed]:
    if setting.project:
        place = setting.project / ".vscode" / "mcp.json"
    elif sys.platform == "darwin":
        place = setting.home / "Library" / "Application Support" / "Code" / "User" / "mcp.json"
    else:
        place = setting.config_home() / "Code" / "User" / "mcp.json"
    yield place, Member(("servers", NAME), _server(setting, type="stdio"))


KNOWN = (
    Known("claude-code", "Claude Code", _claude_code, _CLAUDE_EVENTS),
    Known(
        "codex", "Codex", _codex, _CLAUDE_EVENTS,
        afterwards="Codex skips hooks that nobody has approved: type /hooks in it once.",
    ),
    Known("gemini", "Gemini CLI", _gemini, _GEMINI_EVENTS),
    Known("opencode", "OpenCode", _opencode, ("SessionStart",)),
    Known(
        "openclaw", "OpenClaw", _openclaw, projects=False,
        afterwards="OpenClaw runs no hooks; make the workspace its own to have memory loaded.",
    ),
    Known("cursor", "Cursor", _cursor, _CURSOR_EVENTS),
    Known(
        "vscode", "VS Code", _vscode,
        afterwards="VS Code asks before it starts a server for the first time.",
    ),
)  # fmt: skip
