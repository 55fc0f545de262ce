"""The window of a conversation as messages, and what of it a provider would not take."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.core.models import Answered, Asked, InWindow, Tool


def as_messages(
    instructions: str, tools: Sequence[Tool], window: Sequence[InWindow]
) -> list[Mapping[str, Any]]:
    """Return what is sent to the model as messages, the instructions as the first of them.

    Tools count among the instructions: they fill the window too.
    """
    offered = json.dumps([dict(tool.schema) | {"": tool.description} for tool in tools])
    return [{"role": "system", "content": f"{instructions}\n{offered}"}, *map(_message, window)]


def without_open_calls(window: Sequence[InWindow]) -> list[InWindow]:
    """Return the window up to an answer whose calls did not all return, else all of it."""
    for place in range(len(window) - 1, -1, -1):
        one = window[place]
        if isinstance(one, Answered):
            returned = len(window) - place - 1
            return list(window[:place] if returned < len(one.calls) else window)
    return list(window)


def _message(one: InWindow) -> Mapping[str, Any]:
    if isinstance(one, Asked):
        return {"role": "user", "content": one.text}
    if isinstance(one, Answered):
        calls = [
            {"id": call.id, "function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in one.calls
        ]
        return {"role": "assistant", "content": one.text, "tool_calls": calls}
    return {"role": "tool", "content": one.text}
