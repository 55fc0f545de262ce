"""Results as JSON: every field of a value under its own name, a span as path, start and end."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import PurePath

from vademecum.core.errors import VademecumError
from vademecum.core.notes import Span
from vademecum.core.search import Coverage
from vademecum.surfaces.rendering.visible import escape_json

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

_LEFT_OUT_WHEN_EMPTY = frozenset(
    {
        "superseded_by",
        "claim",
        "until",
        "actor",
        "reason",
        "hint",
        "undoes",
        "conflict",
        "digest",
        "usage",
        "origin",
        "temperatures",
    }
)
_RENAMED = {"first": "start", "last": "end"}
"""Lines have the same names wherever they occur."""


def document(value: object, *, indent: int | None = 2, ascii_only: bool = False) -> str:
    """Return `value` as one JSON document without a final newline.

    Text is kept exactly; characters that could steer a terminal, or with `ascii_only` all that a
    stream without Unicode cannot hold, are written as JSON escapes.
    """
    return escape_json(json.dumps(plain(value), ensure_ascii=ascii_only, indent=indent))


def error_fields(error: VademecumError) -> dict[str, dict[str, str]]:
    """Return `{"error": {"code", "message", "hint"}}`."""
    return {"error": {"code": error.code, "message": str(error), "hint": error.hint}}


def plain(value: object) -> Json:
    """Return `value` as what JSON knows: dataclasses as objects, dates as ISO 8601."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _text(str(value.value) if isinstance(value, enum.Enum) else value)
    if isinstance(value, date):  # an instant is a date too
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    return _other(value)


def _text(value: str) -> str:
    """Return `value`; half a surrogate pair, which no text can hold, becomes U+FFFD."""
    if value.isascii():
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _other(value: object) -> Json:
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _object(value: object) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for field in fields(value):  # type: ignore[arg-type]  # the caller checked that it is one
        item = getattr(value, field.name)
        if isinstance(item, Span):
            prefix = "" if field.name == "span" else f"{field.name}_"
            found |= {f"{prefix}path": item.path, f"{prefix}start": item.first}
            found[f"{prefix}end"] = item.last
        elif isinstance(item, bytes):
            continue  # the same field is there as text
        elif item or field.name not in _LEFT_OUT_WHEN_EMPTY:
            found[_RENAMED.get(field.name, field.name)] = plain(item)
    if isinstance(value, Coverage):
        found["complete"] = value.complete
    return found
