"""Edits of TOML as text: one table comes or goes, and every other byte stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence

_HEADER = re.compile(r"[ \t]*\[")


def loads(text: str) -> dict[str, object]:
    """Return what `text` says. Raises ValueError."""
    return tomllib.loads(text)


def table(keys: Sequence[str], values: Mapping[str, object]) -> str:
    """Return a table of texts, numbers, truth values, and lists or flat tables of texts."""
    rows = [f"[{'.'.join(keys)}]"]
    rows += [f"{key} = {_value(value)}" for key, value in values.items()]
    return "\n".join(rows) + "\n"


def put(text: str, keys: Sequence[str], values: Mapping[str, object]) -> str:
    """Return `text` with that table at its end, or in the place of the one of that name."""
    newline = "\r\n" if "\r\n" in text else "\n"
    made = table(keys, values).replace("\n", newline)
    found = _span(text, keys)
    if found is not None:
        start, end = found
        return text[:start] + made + text[end:]
    if text and not text.endswith("\n"):
        text += newline
    return f"{text}{newline}{made}" if text else made


def remove(text: str, keys: Sequence[str]) -> str:
    """Return `text` without that table and the empty line above it."""
    found = _span(text, keys)
    if found is None:
        return text
    start, end = found
    before = text[:start]
    for blank in ("\r\n\r\n", "\n\n"):
        if before.endswith(blank):
            before = before[: -len(blank) // 2]
            break
    return before + text[end:]


def _span(text: str, keys: Sequence[str]) -> tuple[int, int] | None:
    """Return where a table begins and ends: with its last row that is neither blank nor comment."""
    name = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in keys)
    wanted = re.compile(rf"[ \t]*\[[ \t]*{name}[ \t]*\][ \t]*(#.*)?$")
    start, end, at = -1, -1, 0
    for row in text.splitlines(keepends=True):
        bare = row.strip()
        if start < 0:
            if wanted.match(row.rstrip("\r\n")):
                start, end = at, at + len(row)
        elif _HEADER.match(row):
            break
        elif bare and not bare.startswith("#"):
            end = at + len(row)
        at += len(row)
    return (start, end) if start >= 0 else None


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    # JSON writes texts, whole numbers and truth values as TOML does, DEL excepted.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
