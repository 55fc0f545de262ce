"""Answers in a given form by the model of conversations: it is given one tool to answer with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from vademecum.core.changes import Usage
from vademecum.core.errors import BadInput, ModelUnavailable
from vademecum.core.models import Asked, ChatModel, Reply, Tool, texts_under

_TOOL = "give_answer"
_ASKING = f"Answer by one call of {_TOOL} and nothing else. Leave a list empty where nothing fits."


class AnsweringModel:
    """Opens its model at the first question; one that cannot be opened does not answer."""

    def __init__(self, opening: Callable[[], ChatModel]) -> None:
        self._opening = opening
        self._model: ChatModel | None = None

    def ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        """Return the texts that the model gives under every name in `wanted`.

        Raises ModelUnavailable, also in a thread that runs an event loop: there it would block.
        """
        if _in_event_loop():
            raise ModelUnavailable(
                "The model cannot be asked where an event loop runs.",
                hint="Call it in a thread of its own, for example by asyncio.to_thread.",
            )
        said = self._opened().next(_ASKING, [Asked(prompt)], [_tool(wanted)])
        usage = said.usage or Usage("")
        for call in said.calls:
            read = texts_under(call.arguments, wanted)
            if read is not None:
                return Reply(read, usage)
        return Reply(None, usage, f"There was no call of {_TOOL} with {', '.join(wanted)}.")

    def _opened(self) -> ChatModel:
        if self._model is None:
            try:
                self._model = self._opening()
            except BadInput as error:
                raise ModelUnavailable(str(error), hint=error.hint) from error
        return self._model


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _tool(wanted: Mapping[str, str]) -> Tool:
    listed = {
        name: {"type": "array", "items": {"type": "string"}, "description": meaning}
        for name, meaning in wanted.items()
    }
    schema = {
        "type": "object",
        "properties": listed,
        "required": list(wanted),
        "additionalProperties": False,
    }
    return Tool(_TOOL, "Give the answer that was asked for.", schema)
