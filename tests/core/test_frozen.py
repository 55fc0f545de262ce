"""Quick dataclasses are the standard library's in all that a caller can see."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from vademecum.core import frozen
from vademecum.core.notes import Span
from vademecum.core.search import Coverage


def made_by(dataclass: Any) -> tuple[Any, Any]:
    @dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        x: int
        name: str = "here"
        seen: list[int] = field(default_factory=list, repr=False)

        @property
        def double(self) -> int:
            return 2 * self.x

    @dataclass(frozen=True, slots=True)
    class Deep(Point):
        """A place below."""

        z: int = 1

    return Point, Deep


BOTH = [
    pytest.param(dataclasses.dataclass, id="standard"),
    pytest.param(frozen.dataclass, id="ours"),
]


@pytest.mark.req("B-06")
@pytest.mark.parametrize("dataclass", BOTH)
def test_both_kinds_behave_alike(dataclass: Any) -> None:
    point, deep = made_by(dataclass)
    one = point(1)
    assert one == point(1, "here", [])
    assert one != point(2)
    assert point(1, seen=()) != deep(1, seen=())
    assert hash(point(1, seen=())) == hash((1, "here", ()))
    assert repr(one).endswith("Point(x=1, name='here')")
    assert point(1).seen is not one.seen
    assert dataclasses.replace(one, name="there") == point(1, "there")
    assert dataclasses.asdict(deep(3, z=4)) == {"x": 3, "name": "here", "seen": [], "z": 4}
    assert [f.name for f in dataclasses.fields(deep)] == ["x", "name", "seen", "z"]
    assert dataclasses.is_dataclass(one)
    assert copy.copy(one) == one
    assert copy.deepcopy(one) == one
    assert one.double == 2
    assert point.__doc__ == "A place."
    assert point.__match_args__ == ("x", "name", "seen")
    assert not hasattr(one, "__dict__")
    assert not hasattr(deep(1), "__dict__")
    for change in (lambda: setattr(one, "x", 2), lambda: delattr(one, "x")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(TypeError, match=r"Point.__init__\(\) missing 1 required positional"):
        point()


@pytest.mark.req("B-06")
@pytest.mark.parametrize("dataclass", BOTH)
def test_both_kinds_of_changeable_classes_behave_alike(dataclass: Any) -> None:
    @dataclass(slots=True)
    class Tally:
        done: int = 0
        names: list[str] = field(default_factory=list)

    tally = Tally()
    tally.done += 2
    tally.names.append("a")
    assert tally == Tally(2, ["a"])
    assert copy.deepcopy(tally) == tally
    assert repr(tally).endswith("Tally(done=2, names=['a'])")
    assert Tally.__doc__
    assert not hasattr(tally, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(tally)
    del tally.names
    assert not hasattr(tally, "names")


@pytest.mark.req("B-06")
@pytest.mark.parametrize("dataclass", BOTH)
def test_both_kinds_leave_alone_what_a_class_says_itself(dataclass: Any) -> None:
    @dataclass(slots=True)
    class Doubled:
        value: int

        def __init__(self, half: int) -> None:
            self.value = 2 * half

        def __repr__(self) -> str:
            return "doubled"

    assert [(one.value, repr(one)) for one in (Doubled(1), Doubled(half=2))] == [
        (2, "doubled"),
        (4, "doubled"),
    ]


@pytest.mark.req("B-06")
def test_values_survive_pickling() -> None:
    coverage = Coverage(3, 2, 9, 8, skipped=1)
    assert pickle.loads(pickle.dumps(coverage)) == coverage


@pytest.mark.req("B-06")
def test_other_options_are_the_standard_librarys() -> None:
    assert Span("a", 1, 2) < Span("a", 2, 2)  # order=True

    @frozen.dataclass
    class Counter:
        count: int = 0

    counter = Counter()
    counter.count = 5
    assert counter == Counter(5)
