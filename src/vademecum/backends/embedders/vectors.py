"""Unit vectors of 32-bit floats, the one shape in which every embedder answers."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

from vademecum.core.ports import Vector


class NoDirection(ValueError):
    """The vector is all zero, infinite or not a number."""


def unit(values: Iterable[float]) -> Vector:
    """Return the values scaled to length one, as ``array('f')``.

    Raises NoDirection when there is no direction to keep, TypeError for values that are no numbers.
    """
    vector = array("f", values)
    length = math.sqrt(sum(value * value for value in vector))
    if not 0.0 < length < math.inf:
        raise NoDirection("the vector is all zero or not finite")
    return array("f", [value / length for value in vector])
