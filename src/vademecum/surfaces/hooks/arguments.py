"""Reading the command line of `vade hook` without the library that reads all others."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.frozen import dataclass

_WITH_VALUE = ("-w", "--workspace", "--agent")
_HELP = ("-h", "--help")


@dataclass(frozen=True, slots=True)
class HookCall:
    """What was called; a part that is missing is empty."""

    host: str = ""
    event: str = ""
    workspace: str | None = None
    agent: str | None = None


def hook_call(arguments: Sequence[str]) -> HookCall | None:
    """Return the call of a hook; None for any other command line, and where help is asked for."""
    words: list[str] = []
    workspace: str | None = None
    agent: str | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if word in _HELP:
            return None
        if name in _WITH_VALUE:
            value = value if "=" in word else rest.pop(0) if rest else ""
            if name == "--agent":
                agent = value
            else:
                workspace = value
        elif word.startswith("-w") and word != "-w":
            workspace = word[2:]
        elif not word.startswith("-"):
            words.append(word)
        if words and words[0] != "hook":
            return None
    if not words:
        return None
    host, event = (*words[1:3], "", "")[:2]
    return HookCall(host, event, workspace or None, agent or None)
