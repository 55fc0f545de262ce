"""The ports to a model: a question answered in a given form, and a conversation with tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from vademecum.core.frozen import dataclass


class Model(Protocol):
    """Answers a question in a given form. What it says is data and is checked like anybody's."""

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """Return a list of texts, each on one line, under every name in `wanted`.

        `wanted` says of each name what belongs there. Raises ModelUnavailable; rules go on then.
        """


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may call: its arguments are a JSON Schema of an object."""

    name: str
    description: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model makes; arguments that are no JSON object are `broken`."""

    id: str
    name: str
    arguments: Mapping[str, object]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user said, or what stands in the window in the user's place."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What the model said: words, calls of tools, or both."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    tokens: int = 0
    """How many the window had with this answer, as the provider counts; 0: not told."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool returned for a call."""

    id: str
    name: str
    text: str


InWindow = Asked | Answered | Returned


class ChatModel(Protocol):
    """Goes on with a conversation."""

    def next(
        self, instructions: str, window: Sequence[InWindow], tools: Sequence[Tool]
    ) -> Answered:
        """Return what the model says next.

        After each answer with calls, the window has what every one of them returned. Raises
        ModelUnavailable.
        """

    def close(self) -> None:
        """Release connections; the model is not used again."""
