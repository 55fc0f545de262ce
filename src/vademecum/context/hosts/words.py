"""The words of a turn, without what hosts and memory itself put around and into them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from vademecum.core.patterns import later
from vademecum.markdown.recalled import without_recalled

_PUT_IN = later(
    r"<(system-reminder|hook_context|memory_changed|environment_context|user_instructions"
    r"|command-name|command-message|command-args|local-command-[a-z]+)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_LONGEST_TOOL = 4_000


def cleaned(text: str) -> str:
    """Return what was really said: without injected memory and notices of the host."""
    text = without_recalled(text)
    if "<" in text:
        text = _PUT_IN.sub("", text)
    return text.strip()


def text_of(content: object, *kinds: str) -> str:
    """Return the text of a message whose content is a string or a list of blocks.

    `kinds` are the types of the blocks that count; blocks without a type count too.
    """
    if isinstance(content, str):
        return cleaned(content)
    return cleaned("\n\n".join(_texts(content, kinds)))


def _texts(content: object, kinds: tuple[str, ...]) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict) and part.get("type", kinds[0]) in kinds:
            text = part.get("text")
            if isinstance(text, str) and text.strip():
                yield text


def tool_text(name: str, content: object) -> str:
    """Return a call of a tool, or what came back from it, cut where it is long."""
    body = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    body = cleaned(body)
    if len(body) > _LONGEST_TOOL:
        more = len(body) - _LONGEST_TOOL
        body = f"{body[:_LONGEST_TOOL]}\n[{more:,} more characters stand in the host's transcript]"
    return f"{name} {body}".strip()
