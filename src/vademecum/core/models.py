"""The ports to a model: a question answered in a given form, and a conversation with tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from vademecum.core.changes import Usage
from vademecum.core.frozen import dataclass


class Model(Protocol):
    """Answers a question in a given form. What it says is data and is checked like anybody's."""

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """Return a list of texts, each on one line, under every name in `wanted`.

        `wanted` says of each name what belongs there. Raises ModelUnavailable; rules go on then.
        """


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for a question: texts in the form that was wanted, or what is amiss."""

    texts: Mapping[str, tuple[str, ...]] | None
    usage: Usage
    amiss: str = ""
    """Of an answer that cannot be used: a sentence that the model can act on."""


class Respondent(Protocol):
    """What stands behind a `Model`: one request, one reply, good or not."""

    def ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        """Put one question; `wanted` is that of `Model.answer`. Raises ModelUnavailable."""


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
    usage: Usage | None = None
    """What this answer took; None: not told."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool returned for a call."""

    id: str
    name: str
    text: str


InWindow = Asked | Answered | Returned


def text_of(instructions: str, window: Sequence[InWindow]) -> str:
    """Return the words of a window with what stands before it, for an estimate of its tokens."""
    return "\n".join([instructions, *(one.text for one in window)])


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


def texts_under(
    found: Mapping[str, object], wanted: Mapping[str, str]
) -> Mapping[str, tuple[str, ...]] | None:
    """Return the texts under each name that is wanted, each on one line, in what a model said.

    None where a name is missing or something else than texts stands under it.
    """
    read: dict[str, tuple[str, ...]] = {}
    for name in wanted:
        items = found.get(name)
        listed = [items] if isinstance(items, str) else items
        if not isinstance(listed, list | tuple) or not all(isinstance(one, str) for one in listed):
            return None
        lines = (" ".join(_storable(one).split()) for one in listed)
        read[name] = tuple(line for line in lines if line)
    return read


def _storable(text: str) -> str:
    """Return the text without the characters that no note can hold."""
    return "".join(sign for sign in text if sign != "\0" and not "\ud800" <= sign <= "\udfff")
