"""A conversation's parts: a memory whose writes are one session, and the model to talk to."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.core.models import ChatModel
from vademecum.service.memory import Memory
from vademecum.service.opening import actor_of, caller_of, workspace_of
from vademecum.service.wiring import Parts
from vademecum.workspace.keys import Value

if TYPE_CHECKING:
    from vademecum.core.ports import Clock, Embedder

AGENT = "chat"
"""In whose name the model writes unless --agent names another: not in that of the person."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a conversation is held with; closing the memory releases the model too."""

    memory: Memory
    model: ChatModel
    session: str
    window: int
    """Tokens that the model's window holds."""


def open_chat(
    root: str | Path | None = None,
    *,
    agent: str | None = None,
    model: str | None = None,
    window: int | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
) -> Chat:
    """Open the workspace at `root` for a conversation with `model`, else the configured one.

    The session is the configured one, or a new one. Raises BadInput where no model is named, and
    what opening a workspace raises.
    """
    flags: dict[str, Value] = {}
    if model:
        flags["model.chat"] = model
    if window:
        flags["model.window"] = window
    caller = caller_of(root, agent)
    opened = workspace_of(caller, settings=flags, clock=clock)
    if not opened.settings.actor.session:
        flags["actor.session"] = f"chat-{secrets.token_hex(6)}"
        opened = workspace_of(caller, settings=flags, clock=clock)
    settings = opened.settings
    if not (settings.model.chat or settings.model.name):
        raise BadInput(
            "No model is named to talk to.",
            hint="Give --model PROVIDER:NAME, or set model.chat.",
        )
    parts = Parts(opened, embedder)
    actor = actor_of(opened, caller.name or AGENT)
    talking = parts.chat_model(actor)
    memory = Memory(opened, parts, actor, caller)
    return Chat(memory, talking, settings.actor.session, settings.model.window)
