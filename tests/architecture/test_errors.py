"""The error tree is drawn as it is, and every error can be told apart by programs."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator

import vademecum.core.errors as errors
from vademecum.surfaces.cli.exits import MEANING


def _tree(kind: type[errors.VademecumError], depth: int = 0) -> Iterator[tuple[int, type]]:
    yield depth, kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, depth + 1)


def _drawn() -> Iterator[tuple[int, str, int | None]]:
    """Depth, name and exit code (where one is drawn) of every line of the drawing."""
    drawing = inspect.cleandoc(errors.__doc__ or "").partition("\n\n")[2]
    for line in drawing.splitlines():
        if match := re.match(r"((?:[│ ] {3})*(?:[├└]── )?)([A-Z]\w+)(?: +exit (\d+))?", line):
            yield len(match[1]) // 4, match[2], int(match[3]) if match[3] else None


def test_the_drawing_shows_every_class_at_its_place() -> None:
    assert [(depth, name) for depth, name, _ in _drawn()] == [
        (depth, kind.__name__) for depth, kind in _tree(errors.VademecumError)
    ]


def test_the_drawing_gives_the_exit_codes_and_what_has_none_inherits() -> None:
    drawn = {name: code for _, name, code in _drawn()}
    for _, kind in _tree(errors.VademecumError):
        own = "exit_code" in vars(kind)
        assert drawn[kind.__name__] == (kind.exit_code if own else None), kind.__name__


def test_every_class_has_a_code_of_its_own() -> None:
    kinds = [kind for _, kind in _tree(errors.VademecumError)]
    assert all("code" in vars(kind) for kind in kinds)
    counted = Counter(kind.code for kind in kinds)
    assert [code for code, times in counted.items() if times > 1] == []


def test_every_exit_code_is_documented() -> None:
    assert {kind.exit_code for _, kind in _tree(errors.VademecumError)} <= set(MEANING)


def test_every_class_says_in_one_sentence_when_it_is_raised() -> None:
    for _, kind in _tree(errors.VademecumError):
        assert kind.__doc__, kind.__name__
        assert kind.__doc__.strip().splitlines()[0].endswith("."), kind.__name__
