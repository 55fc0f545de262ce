"""Logs of a source as additions to the daily logs of the workspace."""

from __future__ import annotations

from dataclasses import field
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Properties
from vademecum.markdown.days import ISO_DAY, day_of
from vademecum.markdown.injection import is_injection
from vademecum.markdown.outline import Kind, classify, closing_fence, heading_of
from vademecum.markdown.properties import read_properties
from vademecum.migration.bodies import Body
from vademecum.migration.composing import Text

_EXPECTED_KEYS = frozenset(("type", "date", "title"))


@dataclass(slots=True)
class Addition:
    """What is added to a log, and lines of the source, by their numbers, that are not.

    `heading` is nothing but the day, `frame` frontmatter that tells nothing else: the log has its
    own. `apart` are words for a model, for the quarantine: hosts load the logs of the last days.
    """

    text: Text = field(default_factory=Text)
    heading: list[int] = field(default_factory=list)
    frame: list[int] = field(default_factory=list)
    apart: list[tuple[str, list[int]]] = field(default_factory=list)


def log_addition(body: Body, day: date) -> Addition:
    """Return what is added to the log of `day`.

    Entries keep their order and their words; a fence that was left open is closed, so that it
    swallows nothing that follows.
    """
    made = Addition()
    properties = read_properties(body.lines)
    kinds = classify(body.lines, properties.last)
    text = made.text
    text.add("\n")
    _take_frontmatter(body, properties, made)
    begun = False
    for number in range(properties.last, len(body.lines)):
        line = body.lines[number]
        if not begun and kinds[number] is Kind.HEADING and _is_day(line, day):
            made.heading.append(body.numbers[number])
            continue
        if is_injection(line):
            made.apart.append((line, [body.numbers[number]]))
        elif begun or line.strip():
            begun = True
            text.add(line.replace("\r\n", "\n"), body.numbers[number])
    if fence := closing_fence(text.lines):
        text.add(fence)
    while text.lines and not text.lines[-1].strip():
        text.lines.pop()
        text.numbers.pop()
    return made


def _take_frontmatter(body: Body, properties: Properties, made: Addition) -> None:
    plain = set(properties.values) <= _EXPECTED_KEYS
    if not plain:
        made.text.add("```yaml\n")
    for number in range(properties.last):
        if plain or number in (0, properties.last - 1):
            made.frame.append(body.numbers[number])
        else:
            made.text.add(body.lines[number], body.numbers[number])
    if not plain:
        made.text.add("```\n")


def _is_day(line: str, day: date) -> bool:
    found = heading_of(line)
    if found is None or found[0] != 1:
        return False
    match = ISO_DAY.fullmatch(found[1].strip())
    return match is not None and day_of(*match.groups()) == day
