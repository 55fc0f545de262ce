"""Every verb of memory and where it can be reached: command line, MCP, documentation."""

from __future__ import annotations

from vademecum.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: the method of `Memory` of that name and the ways to it.

    `tool` is the MCP tool, or empty with `why_no_tool` saying why agents do not get one.
    `page` is its documentation, relative to `docs/`.
    """

    name: str
    command: str
    tool: str
    why_no_tool: str
    page: str

    def __post_init__(self) -> None:
        if bool(self.tool) == bool(self.why_no_tool):
            raise ValueError(f"{self.name} needs either a tool or a reason for having none")


_UPKEEP = "Upkeep of files or index that a person or a job asks for; an agent never has to."
_SETTING_UP = "A person decides which programs get memory."
_SHARING = "Who may read a memory is its owner's decision, at a terminal."

VERBS = (
    Verb("init", "init", "", "Runs before there is a memory to speak to.", "commands.md"),
    Verb("log", "log", "memory_log", "", "commands.md"),
    Verb("remember", "remember", "memory_remember", "", "commands.md"),
    Verb("now", "now", "memory_now", "", "commands.md"),
    Verb("recall", "recall", "memory_recall", "", "commands.md"),
    Verb("search", "search", "memory_search", "", "commands.md"),
    Verb("get", "get", "memory_get", "", "commands.md"),
    Verb("review", "review", "memory_review", "", "commands.md"),
    Verb("boot", "boot", "", "Hosts load it before an agent is asked anything.", "commands.md"),
    Verb("hook", "hook", "", "Hosts call it, with no memory open.", "commands.md"),
    Verb("flush", "flush", "", "The agent's loop calls it, at moments of its own.", "commands.md"),
    Verb("compact", "compact", "", "The agent's loop calls it, never the model.", "commands.md"),
    Verb("transcripts", "search", "", "What was said is no memory; a person asks.", "commands.md"),
    Verb("heartbeat", "heartbeat", "", _UPKEEP, "commands.md"),
    Verb("reflect", "reflect", "", _UPKEEP, "commands.md"),
    Verb("archive", "archive", "", _UPKEEP, "commands.md"),
    Verb("restore", "archive", "", "Bringing back is a person's decision.", "commands.md"),
    Verb("promote", "promote", "", "What is always loaded is a person's choice.", "commands.md"),
    Verb("sync", "sync", "", _UPKEEP, "commands.md"),
    Verb("watch", "watch", "", _UPKEEP, "commands.md"),
    Verb("serve", "serve", "", _UPKEEP, "commands.md"),
    Verb("schedule", "schedule", "", _SETTING_UP, "commands.md"),
    Verb("status", "status", "memory_status", "", "commands.md"),
    Verb("doctor", "doctor", "", _UPKEEP, "commands.md"),
    Verb("history", "history", "", "Audit is for the person; an agent has `get`.", "commands.md"),
    Verb("undo", "undo", "", "Taking back what was written is a person's decision.", "commands.md"),
    Verb("forget", "forget", "", "Forgetting is a person's decision.", "commands.md"),
    Verb("agents", "agents", "", "Which agents there are is a person's decision.", "commands.md"),
    Verb("grant", "grant", "", _SHARING, "commands.md"),
    Verb("revoke", "revoke", "", _SHARING, "commands.md"),
    Verb("grants", "grants", "", "`memory_status` says whom memory is shared with.", "commands.md"),
    Verb("gather", "gather", "", "A coordinator's timer or person asks for it.", "commands.md"),
    Verb("migrate", "migrate", "", "Moving in is a person's decision.", "commands.md"),
    Verb("export", "export", "", "Giving memory out is a person's decision.", "commands.md"),
    Verb("git", "git", "", _UPKEEP, "commands.md"),
    Verb("merge-file", "merge-file", "", "Git calls it, with no memory open.", "commands.md"),
    Verb("chat", "chat", "", "It is an agent itself, and offers itself the tools.", "commands.md"),
    Verb("mcp", "mcp", "", "It is the server of the tools itself.", "commands.md"),
    Verb("install", "install", "", _SETTING_UP, "commands.md"),
    Verb("uninstall", "uninstall", "", _SETTING_UP, "commands.md"),
    Verb("config", "config", "", "Configuration is a person's decision.", "commands.md"),
)
"""In the order in which help and reference list them."""
