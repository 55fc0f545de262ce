"""What a record of an export says: a memory, or a conversation with its turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import cast

from vademecum.core.frozen import dataclass
from vademecum.migration.records import Record

_TEXTS = ("memory", "content", "text", "data")
_TIMES = ("created_at", "createdAt", "updated_at", "updatedAt", "create_time", "timestamp")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory: what it says, since when, and the words it is filed under."""

    text: str
    at: datetime | None
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation."""

    speaker: str
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation; its own turns, then those of branches that were left."""

    title: str
    at: datetime | None
    turns: tuple[Turn, ...]
    aside: tuple[Turn, ...] = ()


def said_by(record: Record) -> Remembered | Conversation | None:
    """Return what a record says; None for one that is only the bookkeeping of its export."""
    value = record.value
    if isinstance(value, str):
        return Remembered(_whole(value), None) if value.strip() else None
    if not isinstance(value, Mapping):
        return None
    fields = cast("Mapping[str, object]", value)
    if isinstance(fields.get("mapping"), Mapping):
        return _conversation(fields)
    if relation := _relation(fields):
        return Remembered(_whole(relation), _time(fields))
    text = next((t for key in _TEXTS if isinstance(t := fields.get(key), str) and t.strip()), "")
    if not text:
        return None
    told = _whole(text + _aside(fields.get("metadata")))
    return Remembered(told, _time(fields), tuple(map(_whole, _categories(fields))))


def statements(conversation: Conversation) -> Iterator[tuple[str, datetime | None]]:
    """Yield the sentences that the user said in a conversation, each with its time."""
    for turn in conversation.turns:
        if turn.speaker == "user":
            for sentence in _SENTENCE.split(turn.text):
                if sentence.strip():
                    yield " ".join(sentence.split()), turn.at


def _whole(text: str) -> str:
    """Return a text without halves of surrogate pairs and NULs, which no file can hold."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", "\ufffd")


def _relation(fields: Mapping[str, object]) -> str:
    ends = [fields.get(key) for key in ("source", "relationship", "target")]
    if ends[1] is None:
        ends[1] = fields.get("relation")
    texts = [end.replace("_", " ") for end in ends if isinstance(end, str) and end.strip()]
    return " ".join(texts) if len(texts) == 3 else ""


def _aside(metadata: object) -> str:
    """Return what an export keeps beside a memory as words."""
    if not isinstance(metadata, Mapping):
        return ""
    told = [
        f"{key}: {value}"
        for key, value in metadata.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value)
    ]
    return f" ({', '.join(told)})" if told else ""


def _categories(fields: Mapping[str, object]) -> tuple[str, ...]:
    found = fields.get("categories") or fields.get("category") or ()
    listed = [found] if isinstance(found, str) else found
    if not isinstance(listed, list | tuple):
        return ()
    return tuple(one for one in listed if isinstance(one, str) and one.strip())


def _time(fields: Mapping[str, object]) -> datetime | None:
    for key in _TIMES:
        if (at := _instant(fields.get(key))) is not None:
            return at
    return None


def _instant(value: object) -> datetime | None:
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return read if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _conversation(fields: Mapping[str, object]) -> Conversation:
    mapping = cast("Mapping[str, object]", fields["mapping"])
    nodes = {key: node for key, node in mapping.items() if isinstance(node, Mapping)}
    path: list[str] = []
    current = fields.get("current_node")
    while isinstance(current, str) and current in nodes and current not in path:
        path.append(current)
        current = nodes[current].get("parent")
    own = set(path)
    aside = [key for key in nodes if key not in own]
    if not path:
        path, aside = list(reversed(aside)), []
    turns = (turn for key in reversed(path) if (turn := _turn(nodes[key])))
    left = (turn for key in aside if (turn := _turn(nodes[key])))
    title = fields.get("title")
    return Conversation(
        " ".join(_whole(title).split())
        if isinstance(title, str) and title.strip()
        else "Conversation",
        _time(fields),
        tuple(turns),
        tuple(left),
    )


def _turn(node: Mapping[str, object]) -> Turn | None:
    message = node.get("message")
    if not isinstance(message, Mapping):
        return None
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, Mapping) else None
    text = _text(content)
    if not text.strip():
        return None
    return Turn(_whole(role) if isinstance(role, str) else "unknown", _whole(text), _time(message))


def _text(content: object) -> str:
    """Return what stands in a message; what is no text is named by its kind."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Mapping):
        return ""
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n\n".join(_part(part) for part in parts).strip()
    told = [value for key, value in content.items() if key != "content_type"]
    return "\n\n".join(value for value in told if isinstance(value, str) and value.strip())


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    text = part.get("text")
    if isinstance(text, str):
        return text
    kind = part.get("content_type")
    return f"[{kind if isinstance(kind, str) else 'attachment'}]"
