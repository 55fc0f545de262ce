"""What a tool answers: a text, the same as JSON, both of bounded size, and what was cut said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.surfaces.mcp.envelope import shown
from vademecum.surfaces.rendering.as_json import Json, plain
from vademecum.surfaces.rendering.visible import one_line

ROOM = 12_000
"""Characters of memory's text in one reply."""
MOST_TEXT = 20_000
"""Characters of the whole text of a reply; notes and facts around memory's text are in it."""
_LONGEST_FIELD = 600
"""Characters of a field of JSON that is not the text itself, such as a heading."""
_CUT = " …"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a tool, for models as text and for programs as a JSON object."""

    text: str
    fields: dict[str, Json]
    failed: bool = False


def reply(text: str, fields: dict[str, Json]) -> Reply:
    """Return a reply whose JSON is visible text only and whose text has an end."""
    if len(text) > MOST_TEXT:
        text = text[:MOST_TEXT] + f"{_CUT}\nThe rest of this reply was cut; ask for less."
    bounded = _bounded(shown(fields))
    assert isinstance(bounded, dict)
    return Reply(text, bounded)


def failure(error: VademecumError) -> Reply:
    """Return an error as a tool tells it: the sentence, then what to do about it."""
    message, hint = one_line(str(error)), one_line(error.hint)
    told: dict[str, Json] = {"code": error.code, "message": message, "hint": hint}
    text = f"{message}\n{hint}" if hint else message
    return Reply(text, {"error": told}, failed=True)


def fitted(
    items: Sequence[T], text_of: Callable[[T], str], longest: int = ROOM
) -> list[tuple[T, str, bool]]:
    """Return the leading items whose texts fit a reply, each with its text and whether it is cut.

    A text is cut at `longest` characters, and there is always one item where there are any.
    """
    found: list[tuple[T, str, bool]] = []
    left = ROOM
    for item in items:
        text = text_of(item)
        most = min(longest, ROOM)
        cut = len(text) > most
        text = text[:most] if cut else text
        if len(text) > left and found:
            break
        left -= len(text)
        found.append((item, text, cut))
    return found


def fields_of(value: object) -> dict[str, Json]:
    """Return the JSON object of a dataclass or a mapping."""
    found = plain(value)
    assert isinstance(found, dict)
    return found


def _bounded(value: Json, name: str = "") -> Json:
    if isinstance(value, str):
        most = MOST_TEXT if name == "text" else _LONGEST_FIELD
        return value if len(value) <= most else value[:most] + _CUT
    if isinstance(value, list):
        return [_bounded(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _bounded(item, key) for key, item in value.items()}
    return value
