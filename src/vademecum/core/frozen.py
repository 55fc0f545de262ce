"""`dataclass` for slotted classes, made quickly: every start of a command makes a hundred."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any

_set = object.__setattr__
_ABSENT: Any = object()

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, **more):
        """Do what `dataclasses.dataclass` does, in a quarter of the time where `slots`.

        What makes the difference: representation, comparison, hash and the refusal to change are
        functions that all those classes share, where the standard library compiles source text for
        each class at each start. `fields`, `replace`, `asdict`, matching, copying and pickling are
        the same. Any other option, or `__post_init__`, makes it the standard library's own.
        """

        def decorate(cls):
            if not slots or more or hasattr(cls, "__post_init__"):
                return dataclasses.dataclass(cls, frozen=frozen, slots=slots, **more)
            return _quickly(cls, frozen)

        return decorate if cls is None else decorate(cls)


def _quickly(cls: type, frozen: bool) -> type:
    # Where there is no docstring, the standard library writes one, for longer than all the rest.
    cls.__doc__ = cls.__doc__ or cls.__name__
    described: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    every = fields(described)
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    own = tuple(field.name for field in every if field.name not in inherited)
    left_out = {*own, "__dict__", "__weakref__"}
    body = {name: item for name, item in vars(described).items() if name not in left_out}
    made = {
        "__slots__": own,
        "__qualname__": cls.__qualname__,
        "__repr__": _represent,
        "__eq__": _equal,
        "__hash__": _hash if frozen else None,
        "__getstate__": _state,
        "__setstate__": _restore,
        "_state_of": staticmethod(_getter(tuple(field.name for field in every))),
    }
    if frozen:
        made |= {"__setattr__": _refuse, "__delattr__": _refuse}
    own_methods = {name for name in made if name in body and name != "__hash__"}
    if "__eq__" in own_methods:
        own_methods.add("__hash__")
    made = {name: item for name, item in made.items() if name not in own_methods}
    quick = type(cls)(cls.__name__, cls.__bases__, body | made)
    if "__init__" not in body:
        _initialise_later(quick, every)
    return quick


def _initialise_later(cls: Any, every: tuple[Field[Any], ...]) -> None:
    """Give `cls` an `__init__` that is compiled for the first instance: most have none."""

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        cls.__init__ = _initialiser(cls.__qualname__, every)
        cls.__init__(self, *args, **named)

    cls.__init__ = __init__


def _initialiser(owner: str, every: tuple[Field[Any], ...]) -> Callable[..., None]:
    """Return `__init__` for these fields; the one function that has to be compiled."""
    parameters, steps = ["self"], []
    names: dict[str, Any] = {"_set": _set, "_ABSENT": _ABSENT}
    for field in every:
        name, given = field.name, field.name
        if field.default_factory is not MISSING:
            names[f"_of_{name}"] = field.default_factory
            parameters.append(f"{name}=_ABSENT")
            given = f"_of_{name}() if {name} is _ABSENT else {name}"
        elif field.default is not MISSING:
            names[f"_of_{name}"] = field.default
            parameters.append(f"{name}=_of_{name}")
        else:
            parameters.append(name)
        steps.append(f"    _set(self, {name!r}, {given})")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(steps or ["    pass"]), names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{owner}.__init__"
    return made


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _state(self: Any) -> tuple[object, ...]:
    state: tuple[object, ...] = self._state_of(self)
    return state


def _restore(self: Any, state: tuple[object, ...]) -> None:
    for field, item in zip(fields(self), state, strict=True):
        _set(self, field.name, item)


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._state_of(self) == self._state_of(other)


def _hash(self: Any) -> int:
    return hash(self._state_of(self))


def _represent(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *value: object) -> None:
    del self, value
    raise FrozenInstanceError(f"cannot assign to field {name!r}")
