"""Frontmatter read into strings: where the block is, and what stands under each key.

The fast reader takes what nearly all notes hold (`key: scalar`, inline and block lists) and leaves
everything else to PyYAML's event parser. Both keep every scalar as its string: `1.10`, `12:30` and
`no` stay what they are. Nested keys are flattened (`metadata.type`, `sources.0.resource`).
"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.notes import Properties, PropertyValue
from vademecum.core.patterns import later
from vademecum.markdown.scalars import read_inline_list, read_scalar

_KEY = later(r"([^\W\d][\w./-]*(?: [\w./-]+)*)[ \t]*:(?:[ \t]+|\Z)")
_KEY_LIKE = later(r"[^\s#-][^\n]*:(?:\s|\Z)")
_LARGEST = 65_536
_LONGEST_BLOCK = 1000

TOO_LARGE = "the frontmatter is larger than 64 KB"
UNTERMINATED = "the frontmatter has no closing --- line"


def block_end(lines: Sequence[str]) -> tuple[int, str]:
    """Return the line number of the closing fence and what is wrong with the fences.

    0 without a defect: there is no frontmatter, even if the note begins with a rule.
    """
    if not lines or lines[0].rstrip() != "---":
        return 0, ""
    key_like = False
    for number in range(1, min(len(lines), _LONGEST_BLOCK)):
        line = lines[number]
        if line[:3] in ("---", "...") and line.rstrip() in ("---", "..."):
            blank = all(not inner.strip() for inner in lines[1:number])
            return (number + 1, "") if key_like or blank else (0, "")
        key_like = key_like or bool(_KEY_LIKE.match(line))
    opens = len(lines) > 1 and bool(_KEY.match(lines[1].rstrip()))
    return 0, UNTERMINATED if opens else ""


def read_properties(lines: Sequence[str]) -> Properties:
    """Return the frontmatter of a note given as lines; never raises."""
    end, defect = block_end(lines)
    if not end:
        return Properties({}, defect, 0)
    inner = lines[1 : end - 1]
    values = _read_simple(inner)
    if values is None:
        text = "".join(inner)
        if len(text) > _LARGEST:
            return Properties({}, TOO_LARGE, end)
        from vademecum.markdown.yaml_events import read_yaml  # noqa: PLC0415  loads PyYAML

        values, defect = read_yaml(text)
    return Properties({} if defect else values, defect, end)


def _read_simple(lines: Sequence[str]) -> dict[str, PropertyValue] | None:
    """Return the values of a block in the strict subset, None where it is not in it."""
    values: dict[str, PropertyValue] = {}
    items: list[str] = []
    listed, indent = "", -1
    for raw in lines:
        line = raw.rstrip(" \t\r\n")
        bare = line.lstrip(" ")
        if not bare or bare[0] == "#":
            continue
        if listed and bare.startswith("- "):
            item = read_scalar(bare[2:].strip(" \t"))
            if item is None or (items and indent != len(line) - len(bare)):
                return None
            indent = len(line) - len(bare)
            items.append(item[0])
            continue
        if items:
            values[listed], items = tuple(items), []
        key = _KEY.match(line)
        if key is None or key[1] in values:
            return None
        rest = line[key.end() :]
        value = _read_value(rest)
        if value is None:
            return None
        values[key[1]] = value
        listed = key[1] if rest[:1] in ("", "#") else ""
    if items:
        values[listed] = tuple(items)
    return values


def _read_value(text: str) -> PropertyValue | None:
    read = read_inline_list(text) if text[:1] == "[" else read_scalar(text)
    return None if read is None else read[0]
