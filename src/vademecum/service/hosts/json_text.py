"""Edits of JSON as text: one member or item comes or goes, and every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Sequence

from vademecum.core.frozen import dataclass

_BLANKS = " \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Part:
    """One member of an object or item of an array: where it begins and ends, and its value."""

    key: str
    """Empty for items."""
    start: int
    value_start: int
    end: int


def loads(text: str) -> object:
    """Return what `text` says; an object that names a key twice is refused. Raises ValueError."""
    return json.loads(text, object_pairs_hook=_once)


def put(text: str, keys: Sequence[str], value: object) -> str:
    """Return `text` with `value` at `keys`; objects on the way are made where they are missing.

    Raises ValueError where something on the way is no object.
    """
    at = _root(text)
    for depth, key in enumerate(keys):
        found = next((part for part in _members(text, at) if part.key == key), None)
        if found is None:
            inner = value
            for missing in reversed(keys[depth + 1 :]):
                inner = {missing: inner}
            return _added(text, at, f"{json.dumps(key)}: ", inner)
        if depth == len(keys) - 1:
            written = _written(text, value, _indent_at(text, found.start))
            return text[: found.value_start] + written + text[found.end :]
        at = found.value_start
    raise ValueError("no key is named")


def append(text: str, keys: Sequence[str], value: object) -> str:
    """Return `text` with `value` as the last item of the array at `keys`, made where missing."""
    at = _place(text, keys)
    return put(text, keys, [value]) if at is None else _added(text, at, "", value)


def replace_item(text: str, keys: Sequence[str], index: int, value: object) -> str:
    """Return `text` with `value` instead of the item number `index` of the array at `keys`."""
    item = _items(text, _needed(text, keys))[index]
    written = _written(text, value, _indent_at(text, item.start))
    return text[: item.value_start] + written + text[item.end :]


def remove(text: str, keys: Sequence[str]) -> str:
    """Return `text` without the member at `keys`; unchanged where there is none."""
    at = _place(text, keys[:-1])
    if at is None:
        return text
    parts = _members(text, at)
    found = next((n for n, part in enumerate(parts) if part.key == keys[-1]), None)
    return text if found is None else _without(text, parts, found, at)


def remove_item(text: str, keys: Sequence[str], index: int) -> str:
    """Return `text` without the item number `index` of the array at `keys`."""
    at = _needed(text, keys)
    return _without(text, _items(text, at), index, at)


# ---------------------------------------------------------------- places in the text


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _root(text: str) -> int:
    return _skipped(text, 0)


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _members(text: str, at: int) -> list[Part]:
    if text[at : at + 1] != "{":
        raise ValueError("an object was expected")
    return _parts(text, at, "}", keyed=True)


def _items(text: str, at: int) -> list[Part]:
    if text[at : at + 1] != "[":
        raise ValueError("an array was expected")
    return _parts(text, at, "]", keyed=False)


def _parts(text: str, at: int, closing: str, *, keyed: bool) -> list[Part]:
    found: list[Part] = []
    at = _skipped(text, at + 1)
    while text[at : at + 1] != closing:
        start, key = at, ""
        if keyed:
            key, at = _DECODER.raw_decode(text, at)
            at = _skipped(text, _skipped(text, at) + 1)  # behind the colon
        _, end = _DECODER.raw_decode(text, at)
        found.append(Part(key, start, at, end))
        at = _skipped(text, end)
        if text[at : at + 1] == ",":
            at = _skipped(text, at + 1)
    return found


def _place(text: str, keys: Sequence[str]) -> int | None:
    at = _root(text)
    for key in keys:
        found = next((part for part in _members(text, at) if part.key == key), None)
        if found is None:
            return None
        at = found.value_start
    return at


def _needed(text: str, keys: Sequence[str]) -> int:
    at = _place(text, keys)
    if at is None:
        raise ValueError(f"there is no {'.'.join(keys)}")
    return at


# ---------------------------------------------------------------- coming and going


def _added(text: str, at: int, label: str, value: object) -> str:
    """Return `text` with one more part at the end of the object or array that begins at `at`."""
    keyed = text[at] == "{"
    parts = _members(text, at) if keyed else _items(text, at)
    outer = _indent_at(text, at)
    if not parts:
        indent = outer + _step(text)
        closing = _skipped(text, at + 1)
        body = f"{_newline(text)}{indent}{label}{_written(text, value, indent)}"
        return f"{text[: at + 1]}{body}{_newline(text)}{outer}{text[closing:]}"
    last = parts[-1]
    apart = text[at + 1 : parts[0].start]
    indent = apart.rpartition("\n")[2] if "\n" in apart else outer
    between = f"{_newline(text)}{indent}" if "\n" in apart else " "
    body = f",{between}{label}{_written(text, value, indent)}"
    return text[: last.end] + body + text[last.end :]


def _without(text: str, parts: list[Part], index: int, at: int) -> str:
    """Return `text` without one part, and without the comma and the blanks that came with it."""
    if index:
        return text[: parts[index - 1].end] + text[parts[index].end :]
    if len(parts) > 1:
        return text[: parts[0].start] + text[parts[1].start :]
    closing = _skipped(text, parts[0].end)
    return text[: at + 1] + text[closing:]


def _written(text: str, value: object, indent: str) -> str:
    rows = json.dumps(value, ensure_ascii=False, indent=_step(text)).split("\n")
    return f"{_newline(text)}{indent}".join(rows)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _step(text: str) -> str:
    """Return by how much the file indents, two spaces where it does not say."""
    for row in text.splitlines()[1:]:
        bare = row.lstrip(" \t")
        if bare and bare != row:
            return row[: len(row) - len(bare)]
    return "  "


def _indent_at(text: str, at: int) -> str:
    row = text[text.rfind("\n", 0, at) + 1 : at]
    return row[: len(row) - len(row.lstrip(" \t"))]
