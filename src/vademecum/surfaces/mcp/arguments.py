"""Arguments of a tool call, checked against what the tool takes; what is amiss is one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from vademecum.core.errors import BadInput
from vademecum.surfaces.mcp.offers import Offer, Schema

_LONGEST = 100_000
"""Characters of one text: far more than an entry or a workbench has, far less than harms."""
_SHOWN = 60
"""Characters of a wrong value that are repeated to whoever sent it."""


class Arguments:
    """The arguments of one call, of the right types; what was not given is absent."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        """Return a text, empty where none was given."""
        return cast(str, self._given.get(name, ""))

    def text_or_none(self, name: str) -> str | None:
        """Return a text, None where none was given: an empty one is a text too."""
        return cast("str | None", self._given.get(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty where none was given."""
        return cast("tuple[str, ...]", self._given.get(name, ()))

    def number(self, name: str) -> int | None:
        """Return a whole number, None where none was given."""
        return cast("int | None", self._given.get(name))

    def flag(self, name: str) -> bool:
        """Return a flag, False where it was not given."""
        return cast(bool, self._given.get(name, False))


def checked(offer: Offer, given: Mapping[str, object] | None) -> Arguments:
    """Return the arguments of a call of `offer`.

    Nulls count as absent, and a lone text where a list is meant as a list of one. Raises BadInput
    in one sentence that names tool, argument and what it takes.
    """
    present = {name: value for name, value in (given or {}).items() if value is not None}
    for name in present:
        if name not in offer.arguments:
            raise BadInput(
                f"{offer.name} has no argument {_short(name)}.",
                hint=f"It takes: {', '.join(offer.arguments) or 'none'}.",
            )
    for name in offer.required:
        if name not in present:
            raise BadInput(f"{offer.name} needs `{name}`.", hint=_description(offer, name))
    return Arguments({name: _read(offer, name, value) for name, value in present.items()})


def _read(offer: Offer, name: str, value: object) -> object:
    schema = offer.arguments[name]
    reader = _READERS[str(schema["type"])]
    read, wanted = reader(schema, value)
    if read is None:
        raise BadInput(
            f"{offer.name}: `{name}` must be {wanted}, not {_short(value)}.",
            hint=_description(offer, name),
        )
    return read


def _string(schema: Schema, value: object) -> tuple[object, str]:
    choices = cast("list[str]", schema.get("enum", []))
    if choices:
        return (value if value in choices else None), f"one of {', '.join(choices)}"
    fits = isinstance(value, str) and len(value) <= _LONGEST
    return (value if fits else None), f"a text of at most {_LONGEST:,} characters"


def _integer(schema: Schema, value: object) -> tuple[object, str]:
    least, most = cast(int, schema["minimum"]), cast(int, schema["maximum"])
    wanted = f"a whole number from {least} to {most:,}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        return None, wanted
    return value, wanted


def _boolean(schema: Schema, value: object) -> tuple[object, str]:
    del schema
    return (value if isinstance(value, bool) else None), "true or false"


def _array(schema: Schema, value: object) -> tuple[object, str]:
    del schema
    if isinstance(value, str):
        value = [value]
    fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return (tuple(cast("list[str]", value)) if fits else None), "a list of texts"


_READERS = {"string": _string, "integer": _integer, "boolean": _boolean, "array": _array}


def _description(offer: Offer, name: str) -> str:
    return f"`{name}`: {offer.arguments[name]['description']}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
