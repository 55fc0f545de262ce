"""Answers in a given form by the model of conversations: it is given one tool to answer with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from vademecum.backends.models.command import texts_under
from vademecum.core.errors import BadInput, ModelUnavailable
from vademecum.core.models import Asked, ChatModel, Tool

_TOOL = "give_answer"
_ASKING = f"Answer by one call of {_TOOL} and nothing else. Leave a list empty where nothing fits."


class AnsweringModel:
    """Opens its model at the first question; one that cannot be opened does not answer."""

    def __init__(self, opening: Callable[[], ChatModel]) -> None:
        self._opening = opening
        self._model: ChatModel | None = None

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """Return the texts that the model gives under every name in `wanted`.

        Raises ModelUnavailable, also in a thread that runs an event loop: there it would block.
        """
        if _in_event_loop():
            raise ModelUnavailable(
                "The model cannot be asked where an event loop runs.",
                hint="Call it in a thread of its own, for example by asyncio.to_thread.",
            )
        said = self._opened().next(_ASKING, [Asked(prompt)], [_tool(wanted)])
        for call in said.calls:
            if set(wanted) <= set(call.arguments):
                read = texts_under(call.arguments, wanted)
                if read is not None:
                    return read
        raise ModelUnavailable(
            f"The model gave no answer with {', '.join(wanted)}.", hint="Try another model."
        )

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
