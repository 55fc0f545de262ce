"""Messages: the window of an agent's loop, in whatever shape its provider gives them, as turns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from vademecum.context.turns import Speaker, Turn
from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.markdown.recalled import without_recalled
from vademecum.markdown.secrets import redact
from vademecum.markdown.sizes import estimate_tokens

Fields = Mapping[str, Any]
RESULT = "→"
"""How the text of a tool's result begins."""
_SYSTEM = ("system", "developer")
_SPEAKERS: Mapping[str, Speaker] = {
    "user": "user", "human": "user",
    "assistant": "assistant", "model": "assistant", "ai": "assistant",
    "tool": "tool", "function": "tool", "summary": "summary",
}  # fmt: skip
_TEXT = ("text", "input_text", "output_text")
_CALLS = ("tool_use", "tool_call", "server_tool_use")
_RESULTS = ("tool_result", "tool_result_error", "web_search_tool_result")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a window: the turns in it, and how it hangs together with its neighbours."""

    turns: tuple[Turn, ...]
    """None of instructions, and of what memory itself put in; without credentials."""
    tokens: int
    """Estimated, over all of it."""
    calls: bool = False
    """It calls a tool."""
    answers: bool = False
    """It brings what a tool returned; it stays with the call."""
    system: bool = False
    """Instructions: they stay where they are and are never summarised."""


def read_messages(given: object) -> tuple[Message, ...]:
    """Return the messages of a window.

    Each is an object with `role` (or `speaker`) and `content` (or `text`), a text or a list of
    blocks, as the interfaces of OpenAI and Anthropic have them, tool calls and results included;
    `id` where there is one. Raises BadInput naming the first message that is none.
    """
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise BadInput(
            "The messages are no list.", hint='Give a list: [{"role": "user", "content": "…"}].'
        )
    return tuple(_message(number, one) for number, one in enumerate(given))


def messages_of(turns: Sequence[Turn]) -> tuple[Message, ...]:
    """Return turns that are on file as the messages of a window."""
    return tuple(
        Message(
            (turn,),
            estimate_tokens(turn.text),
            calls=turn.speaker == "tool" and not turn.text.startswith(RESULT),
            answers=turn.speaker == "tool" and turn.text.startswith(RESULT),
        )
        for turn in turns
    )


def _message(number: int, fields: object) -> Message:
    role = ""
    if isinstance(fields, Mapping):
        role = str(fields.get("role", fields.get("speaker", ""))).lower()
    if not isinstance(fields, Mapping) or (role not in _SPEAKERS and role not in _SYSTEM):
        raise BadInput(
            f"Message {number} has no role that is known.",
            hint=f"Roles are: {', '.join((*_SYSTEM, *_SPEAKERS))}.",
        )
    content = fields.get("content", fields.get("text"))
    calls = [call for call in fields.get("tool_calls") or () if isinstance(call, Mapping)]
    size = estimate_tokens(_said(content)) + sum(estimate_tokens(_json(call)) for call in calls)
    if role in _SYSTEM:
        return Message((), size, system=True)
    pieces = list(_pieces(_SPEAKERS[role], content))
    pieces += [("tool", _called(call.get("function", call))) for call in calls]
    id = str(fields.get("id") or "")
    turns = tuple(
        Turn(f"{id}#{place}" if id and place else id, speaker, redact(text))
        for place, (speaker, text) in enumerate(pieces)
        if text
    )
    kinds = {part.get("type") for part in _blocks(content)}
    return Message(
        turns,
        size,
        calls=bool(calls) or bool(kinds & set(_CALLS)),
        answers=_SPEAKERS[role] == "tool" or bool(kinds & set(_RESULTS)),
    )


def _pieces(speaker: Speaker, content: object) -> Iterator[tuple[Speaker, str]]:
    """Yield who says what in a message: its text as one piece, each call and result as another."""
    texts = [content] if isinstance(content, str) else []
    tools: list[str] = []
    for block in _blocks(content):
        kind = block.get("type", "text")
        if kind in _CALLS:
            tools.append(_called(block))
        elif kind in _RESULTS:
            tools.append(f"{RESULT} {_said(block.get('content'))}".strip())
        elif kind in _TEXT:
            texts.append(str(block.get("text", "")))
        else:
            texts.append(f"[{kind}]")
    said = without_recalled("\n\n".join(text for text in texts if text.strip())).strip()
    if speaker == "tool":
        yield "tool", f"{RESULT} {said}".strip()
    elif said:
        yield speaker, said
    for tool in tools:
        yield "tool", without_recalled(tool).strip()


def _blocks(content: object) -> Iterator[Fields]:
    for part in content if isinstance(content, list | tuple) else ():
        if isinstance(part, str):
            yield {"type": "text", "text": part}
        elif isinstance(part, Mapping):
            yield cast("Fields", part)


def _called(call: Fields) -> str:
    given = call.get("input", call.get("arguments", call.get("args", {})))
    return f"{call.get('name', 'tool')} {given if isinstance(given, str) else _json(given)}"


def _said(content: object) -> str:
    """Return all that a content holds as text."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple):
        return "\n\n".join(
            str(part["text"])
            if isinstance(part, Mapping) and "text" in part
            else _said_or_json(part)
            for part in content
        )
    return _json(content)


def _said_or_json(part: object) -> str:
    return part if isinstance(part, str) else _json(part)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
