"""Frontmatter that needs a whole YAML reader, taken from PyYAML's events and kept as strings.

Events are flat, so no nesting however deep can exhaust the stack, and an alias is seen before it is
expanded: both are refused with a defect.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from vademecum.core.notes import PropertyValue

_DEEPEST = 16
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class _Defect(Exception):
    """Why a block is not read; becomes the text of the defect."""


def read_yaml(text: str) -> tuple[dict[str, PropertyValue], str]:
    """Return the values of a frontmatter block, flattened, and why they could not be read."""
    values: dict[str, PropertyValue] = {}
    try:
        events = iter(yaml.parse(text, Loader=_LOADER))
        for event in events:
            if isinstance(event, yaml.MappingStartEvent):
                _read_mapping(events, "", values, 1)
            elif isinstance(event, yaml.ScalarEvent) and not event.value:
                continue
            elif isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.AliasEvent):
                raise _Defect("the frontmatter is not a list of keys and values")
    except _Defect as defect:
        return {}, str(defect)
    except yaml.YAMLError as error:
        return {}, _sentence(error)
    return values, ""


def _sentence(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    where = f" in line {mark.line + 2}" if mark is not None else ""
    return f"the frontmatter is not valid YAML{where}: {problem}"


def _read_mapping(
    events: Iterator[yaml.Event], prefix: str, values: dict[str, PropertyValue], depth: int
) -> None:
    if depth > _DEEPEST:
        raise _Defect("the frontmatter is nested too deeply")
    seen = set()
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return
        if not isinstance(event, yaml.ScalarEvent):
            raise _Defect("the frontmatter has a key that is no plain text")
        if event.value in seen:
            raise _Defect(f"the frontmatter has the key {event.value} twice")
        seen.add(event.value)
        _read_node(next(events), events, prefix + event.value, values, depth)


def _read_sequence(
    events: Iterator[yaml.Event], key: str, values: dict[str, PropertyValue], depth: int
) -> None:
    if depth > _DEEPEST:
        raise _Defect("the frontmatter is nested too deeply")
    items: list[str] = []
    for ordinal, event in enumerate(events):
        if isinstance(event, yaml.SequenceEndEvent):
            break
        if isinstance(event, yaml.ScalarEvent):
            items.append(event.value)
        else:
            _read_node(event, events, f"{key}.{ordinal}", values, depth)
    if items or not any(known.startswith(f"{key}.") for known in values):
        values[key] = tuple(items)


def _read_node(
    event: yaml.Event,
    events: Iterator[yaml.Event],
    key: str,
    values: dict[str, PropertyValue],
    depth: int,
) -> None:
    if isinstance(event, yaml.ScalarEvent):
        values[key] = event.value
    elif isinstance(event, yaml.SequenceStartEvent):
        _read_sequence(events, key, values, depth + 1)
    elif isinstance(event, yaml.MappingStartEvent):
        _read_mapping(events, f"{key}.", values, depth + 1)
    else:
        raise _Defect("the frontmatter uses anchors and aliases, which notes do not need")
