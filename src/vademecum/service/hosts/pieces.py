"""What is put into one file of a host: a member, an item, a table, or the whole file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.core.frozen import dataclass
from vademecum.service.hosts import json_text, toml_text


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a JSON object, which nobody else uses."""

    keys: tuple[str, ...]
    value: object
    shared: bool = False
    """Others use it too: whatever it is already, it stays."""

    def put(self, text: str) -> str:
        """Return `text` with the member. Raises ValueError."""
        held = _held(json_text.loads(text), self.keys)
        if held == self.value or (self.shared and held is not None):
            return text
        return json_text.put(text, self.keys, self.value)

    def taken(self, text: str, original: object) -> str:
        """Return `text` without the member, and without objects that were made for it."""
        held = _held(json_text.loads(text), self.keys)
        if held is None or (self.shared and _held(original, self.keys) is not None):
            return text
        return _without_made(json_text.remove(text, self.keys), self.keys[:-1], original)

    def shown(self) -> str:
        """Return what a person would paste."""
        return _pasted(self.keys, self.value)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a JSON array that others use too; it is known again by `mark`."""

    keys: tuple[str, ...]
    value: object
    mark: str
    """The end of the one command in it; no item of anybody else ends so."""

    def put(self, text: str) -> str:
        """Return `text` with the item, once; one that this product put there before is replaced.

        Raises ValueError.
        """
        held = _held(json_text.loads(text), self.keys)
        ours = self._ours(held)
        if not ours:
            return json_text.append(text, self.keys, self.value)
        for index in reversed(ours[1:]):
            text = json_text.remove_item(text, self.keys, index)
        if isinstance(held, list) and held[ours[0]] == self.value:
            return text
        return json_text.replace_item(text, self.keys, ours[0], self.value)

    def taken(self, text: str, original: object) -> str:
        """Return `text` without the item, and without arrays and objects that were made for it."""
        for index in reversed(self._ours(_held(json_text.loads(text), self.keys))):
            text = json_text.remove_item(text, self.keys, index)
        return _without_made(text, self.keys, original)

    def shown(self) -> str:
        """Return what a person would paste."""
        return _pasted(self.keys, [self.value])

    def among(self, items: Sequence[object]) -> list[object]:
        """Return `items` with this one: in the place of its first form, else at the end."""
        ours = self._ours(items)
        if not ours:
            return [*items, self.value]
        kept = [item for index, item in enumerate(items) if index not in ours[1:]]
        kept[ours[0]] = self.value
        return kept

    def _ours(self, held: object) -> list[int]:
        items = held if isinstance(held, list) else []
        found = []
        for index, item in enumerate(items):
            commands = list(_commands(item))
            if commands and all(self._is_ours(command) for command in commands):
                found.append(index)
        return found

    def _is_ours(self, command: str) -> bool:
        return command.endswith(self.mark) and " --workspace " in command


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a TOML file, which nobody else uses."""

    keys: tuple[str, ...]
    values: Mapping[str, object]

    def put(self, text: str) -> str:
        """Return `text` with the table. Raises ValueError."""
        held = _held(toml_text.loads(text), self.keys)
        return text if held == self.values else toml_text.put(text, self.keys, self.values)

    def taken(self, text: str, original: object) -> str:
        """Return `text` without the table."""
        del original
        return toml_text.remove(text, self.keys)

    def shown(self) -> str:
        """Return what a person would paste."""
        return toml_text.table(self.keys, self.values)


@dataclass(frozen=True, slots=True)
class Whole:
    """A file of its own."""

    text: str

    def put(self, text: str) -> str:
        """Return the file's text."""
        del text
        return self.text

    def taken(self, text: str, original: object) -> str:
        """Return nothing: the file goes."""
        del text, original
        return ""

    def shown(self) -> str:
        """Return the file's text."""
        return self.text


Piece = Member | Item | Table | Whole


def values_after(pieces: Sequence[Piece], before: object) -> object:
    """Return what a file says that said `before`, once all pieces are in it; nothing of text.

    It is worked out on values alone, so that it can vouch for an edit of the text.
    """
    after = json.loads(json.dumps(before, default=str))
    for piece in pieces:
        if isinstance(piece, Whole):
            continue
        holder, last = _made(after, piece.keys[:-1]), piece.keys[-1]
        if isinstance(piece, Item):
            holder[last] = piece.among(holder.get(last, []))
        elif isinstance(piece, Table):
            holder[last] = dict(piece.values)
        elif not piece.shared or last not in holder:
            holder[last] = piece.value
    return after


def _made(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.setdefault(key, {})
    return value


def _held(value: object, keys: Sequence[str]) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _without_made(text: str, keys: Sequence[str], original: object) -> str:
    """Remove what is empty now and was not there, empty, in the original."""
    for length in range(len(keys), 0, -1):
        if _held(json_text.loads(text), keys[:length]) not in ({}, []):
            break
        if _held(original, keys[:length]) in ({}, []):
            break
        text = json_text.remove(text, keys[:length])
    return text


def _commands(item: object) -> list[str]:
    """Return every command below a hook's item."""
    if isinstance(item, list):
        return [command for one in item for command in _commands(one)]
    if not isinstance(item, dict):
        return []
    found = [item["command"]] if isinstance(item.get("command"), str) else []
    return found + _commands(item.get("hooks"))


def _pasted(keys: Sequence[str], value: object) -> str:
    for key in reversed(keys):
        value = {key: value}
    return json.dumps(value, ensure_ascii=False)
