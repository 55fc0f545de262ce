"""The loop: a turn on file before it is answered or shown, a flush and a compaction when due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vademecum.core.errors import BadInput, ModelUnavailable
from vademecum.core.frozen import dataclass
from vademecum.core.models import Asked, InWindow, Returned, Tool, ToolCall
from vademecum.surfaces.chat.window import as_messages, without_open_calls
from vademecum.surfaces.mcp.calls import call
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.offers import INSTRUCTIONS, OFFERS
from vademecum.surfaces.mcp.replies import failure

if TYPE_CHECKING:
    from vademecum.service.chatting import Chat

_NO_TOOLS = ("memory_review", "memory_status")
"""What is for a person to see to."""
TOOLS = tuple(
    Tool(offer.name, offer.description, offer.schema)
    for offer in OFFERS
    if offer.name not in _NO_TOOLS
)
_NAMES = tuple(tool.name for tool in TOOLS)
_INSTRUCTIONS = (
    "You are a helpful assistant with a long-term memory. Answer briefly, citing path:lines. "
    + INSTRUCTIONS
)
_ROUNDS = 20
"""Calls of tools in a row until a turn counts as failed."""
_RESERVE = 20_000
"""Tokens of the window that stay free for an answer."""
_KEEP, _SUMMARY = 20_000, 8_000


@dataclass(frozen=True, slots=True)
class Spoken:
    """The answer to one turn, and the tools that were called for it."""

    session: str
    reply: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What was done for the window between two turns."""

    flushed: int | None = None
    """How many memories a flush kept; None where there was none."""
    compacted: int | None = None
    """Tokens of the window after a compaction; None where there was none."""
    missed: bool = False
    """A flush was due and the model did not answer: it is made up for from the transcript."""


class Conversation:
    """One session with a model. A turn that was acknowledged is on disk."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._memory = chat.memory
        self._door = Door(lambda _: chat.memory)
        self._window = self._opened("startup")
        self._told = 0
        """Tokens of the window as the provider counted them last."""

    def say(self, text: str) -> Spoken:
        """Return the model's answer; both are in the transcript when this returns.

        What the user said is there before the model hears of it. After ModelUnavailable or an
        interruption the conversation can go on. Raises those and what any write raises.
        """
        if not text.strip():
            raise BadInput("There is nothing to say.", hint="Give a text.")
        self._window.append(Asked(text))
        try:
            self._capture()
            return self._answer()
        finally:
            self._window = without_open_calls(self._window)

    def settle(self) -> Settled:
        """Flush and compact where that is due. Raises what any write raises."""
        filled, due = self._capture()
        kept = self._flushed(due) if due else None
        missed = bool(due) and kept is None
        if filled < _compaction_at(self._chat.window):
            return Settled(kept, None, missed)
        return Settled(kept, self._compacted(), missed)

    def end(self) -> None:
        """Make up for a flush of this session that the model did not answer."""
        self._memory.flush(session=self._chat.session)

    def _answer(self) -> Spoken:
        called: list[str] = []
        for turn in range(_ROUNDS):
            if turn:
                self.settle()
            answer = self._chat.model.next(_INSTRUCTIONS, self._window, TOOLS)
            if not (answer.text or answer.calls):
                raise ModelUnavailable("The model said nothing.", hint="Say it again.")
            self._window.append(answer)
            self._told = answer.tokens
            self._capture()
            if not answer.calls:
                return Spoken(self._chat.session, answer.text, tuple(called))
            called += [one.name for one in answer.calls]
            self._window += [self._returned(one) for one in answer.calls]
        raise ModelUnavailable(
            f"The model called tools {_ROUNDS} times and gave no answer.", hint="Ask for less."
        )

    def _returned(self, one: ToolCall) -> Returned:
        if one.name not in _NAMES:
            error = BadInput(f"There is no tool {one.name!r}.", hint=f"Use {', '.join(_NAMES)}.")
            return Returned(one.id, one.name, failure(error).text)
        if one.broken:
            error = BadInput(f"The arguments of {one.name} are no JSON object.")
            return Returned(one.id, one.name, failure(error).text)
        return Returned(one.id, one.name, call(self._door, one.name, one.arguments).text)

    def _capture(self) -> tuple[int, str]:
        """Put the window on file; return its tokens, and the prompt of a flush that is due."""
        size = self._chat.window
        messages = as_messages(_INSTRUCTIONS, TOOLS, self._window)
        found = self._memory.flush(window=size, messages=messages, session=self._chat.session)
        if self._told > found.tokens:
            found = self._memory.flush(window=size, tokens=self._told, session=self._chat.session)
        return found.tokens, getattr(found, "prompt", "")

    def _flushed(self, prompt: str) -> int | None:
        """Let the model say what lasts, in a turn that is neither shown nor kept in the window."""
        try:
            said = self._chat.model.next(_INSTRUCTIONS, [*self._window, Asked(prompt)], TOOLS)
        except ModelUnavailable:
            return None
        done = self._memory.flush(said.text, session=self._chat.session)
        return len(getattr(done, "kept", ()))

    def _compacted(self) -> int | None:
        size = self._chat.window
        messages = as_messages(_INSTRUCTIONS, TOOLS, self._window)
        made = self._memory.compact(
            messages,
            session=self._chat.session,
            keep=min(_KEEP, size // 4),
            budget=min(_SUMMARY, size // 8),
        )
        if hasattr(made, "reasons"):  # it stays as it is
            return None
        # The instructions are the first message and no part of the window.
        stays = self._window[made.first_kept - 1 :]
        self._window = [*self._opened("compact"), Asked(made.text), *stays]
        self._told = 0
        return made.tokens_after

    def _opened(self, event: str) -> list[InWindow]:
        """Return what a window begins with: memory, which is data, so never in the instructions."""
        text = self._memory.boot(event, session=self._chat.session).text
        return [Asked(text)] if text else []


def _compaction_at(window: int) -> int:
    """Return from how many tokens on a window is compacted: three quarters of a small one."""
    return max(window - _RESERVE, window * 3 // 4)
