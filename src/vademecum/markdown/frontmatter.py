"""Frontmatter: read it, and change one key without touching another byte."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vademecum.core.errors import MalformedFrontmatter
from vademecum.core.notes import Properties, PropertyValue
from vademecum.core.patterns import later
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.properties import read_properties
from vademecum.markdown.scalars import is_date, quote, read_inline_list, read_scalar

__all__ = ["quote", "read", "remove_key", "set_value"]

_KEY = later(r"[^\W\d][\w/-]*(?:[ .][\w/-]+)*\Z")
_TOP_LEVEL = later(r"[^\s#-]")
_DATE_KEYS = frozenset(
    ("date", "created", "modified", "updated", "last_verified", "since", "until", "superseded")
)
_HINT = "Repair the frontmatter in an editor; the file is as it was."


def read(text: str) -> Properties:
    """Return the frontmatter of a note; never raises, `defect` says why it could not be read."""
    return read_properties(split(text)) if text.startswith("---") else Properties()


def set_value(text: str, key: str, value: PropertyValue) -> str:
    """Return `text` with `key` set to exactly `value`; no line of another key changes.

    A new key goes to the end of the block, `type` to its beginning; a note without frontmatter
    gets a block. A comment behind the value, line ends and the order of keys stay. Days under keys
    that hold days stand without quotes, every other text that YAML could take for something else
    in quotes. Raises MalformedFrontmatter when the block cannot be read or edited safely, and
    InvalidText for a value that YAML cannot hold.
    """
    properties = _editable(text)
    if not _KEY.match(key):
        raise MalformedFrontmatter(f"{key!r} cannot be a key of frontmatter.", hint="Use a word.")
    line_end = newline_of(text)
    lines = split(text)
    rendered = _rendered(key, value)
    if not properties.last:
        block = ["---" + line_end, f"{key}: {rendered}{line_end}", "---" + line_end]
        edited = "".join([*block, *([line_end] if lines and lines[0].strip() else []), *lines])
    else:
        first, stop = _lines_of(lines, properties.last, key)
        if first == stop:
            if key in properties.values:
                raise _unsafe(key)  # nested, or in braces: it has no line of its own
            first = stop = 1 if key == "type" else properties.last - 1
            lines[first:stop] = [f"{key}: {rendered}{line_end}"]
        else:
            lines[first:stop] = [_replaced(lines[first:stop], rendered)]
        edited = "".join(lines)
    return _verified(text, edited, {**properties.values, key: value}, key)


def remove_key(text: str, key: str) -> str:
    """Return `text` without `key`; unchanged when it is not there.

    Raises MalformedFrontmatter when the block cannot be read or edited safely.
    """
    properties = _editable(text)
    if key not in properties.values:
        return text
    lines = split(text)
    first, stop = _lines_of(lines, properties.last, key)
    if first == stop:
        raise _unsafe(key)
    edited = "".join(lines[:first] + lines[stop:])
    rest = {name: value for name, value in properties.values.items() if name != key}
    return _verified(text, edited, rest, key)


def _editable(text: str) -> Properties:
    properties = read(text)
    if properties.defect:
        raise MalformedFrontmatter(
            f"The frontmatter cannot be edited: {properties.defect}.", hint=_HINT
        )
    return properties


def _lines_of(lines: Sequence[str], last: int, key: str) -> tuple[int, int]:
    """Return the lines of a top-level key, from 0; an empty range where it has none.

    Comments and blank lines below its value belong to what follows.
    """
    spelled = later(
        rf"(?:{re.escape(key)}|'{re.escape(key)}'|\"{re.escape(key)}\")[ \t]*:(?:\s|\Z)"
    )
    for number in range(1, last - 1):
        if spelled.match(lines[number]):
            stop = number + 1
            while stop < last - 1 and not _TOP_LEVEL.match(lines[stop]):
                stop += 1
            while stop > number + 1 and _is_aside(lines[stop - 1]):
                stop -= 1
            return number, stop
    return last - 1, last - 1


def _is_aside(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def _replaced(old: Sequence[str], rendered: str) -> str:
    """Return the key's line with another value; spelling, spaces and comment of it stay."""
    line = old[0]
    bare = line.rstrip("\r\n")
    head = re.match(r"(?:'[^']*'|\"[^\"]*\"|[^:]*?(?::[^\s][^:]*)*?)[ \t]*:", bare)
    if head is None:
        return line
    spaces, value = _parted(bare[head.end() :])
    comment = ""
    if len(old) == 1 or not value:
        read_back = read_inline_list(value) if value[:1] == "[" else read_scalar(value)
        comment = read_back[1] if read_back else ""
    if comment and comment[0] == "#":
        comment = " " + comment
    return head[0] + (spaces or " ") + rendered + comment + line[len(bare) :]


def _parted(text: str) -> tuple[str, str]:
    value = text.lstrip(" \t")
    return text[: len(text) - len(value)], value.rstrip(" \t")


def _rendered(key: str, value: PropertyValue) -> str:
    if not isinstance(value, str):
        return "[" + ", ".join(quote(item, listed=True) for item in value) + "]"
    return value if key in _DATE_KEYS and is_date(value) else quote(value)


def _verified(text: str, edited: str, wanted: Mapping[str, PropertyValue], key: str) -> str:
    """Return `edited` once both readers take exactly `wanted` from it and the body is untouched."""
    lines = split(edited)
    found = read_properties(lines)
    body = split(text)[read(text).last :]
    kept = lines[found.last :] == body or (
        not read(text).last and "".join(lines[found.last :]).lstrip("\r\n") == "".join(body)
    )
    if not (found.last and not found.defect and kept and found.values == wanted):
        raise _unsafe(key)
    from vademecum.markdown.yaml_events import read_yaml  # noqa: PLC0415  loads PyYAML

    values, defect = read_yaml("".join(lines[1 : found.last - 1]))
    if defect or values != wanted:
        raise _unsafe(key)
    return edited


def _unsafe(key: str) -> MalformedFrontmatter:
    return MalformedFrontmatter(
        f"The frontmatter cannot be edited at the key {key}: it would not read back as meant.",
        hint=_HINT,
    )
