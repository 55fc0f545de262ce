"""Vectors as bytes: 16-bit fixed point for keeping, centred 8-bit codes for comparing in bulk."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import mul, sub

from vademecum.core.frozen import dataclass
from vademecum.core.ports import Vector

UNIT = 32_767
"""What 1.0 becomes in a kept vector."""
_LARGEST = 127
_SHARE_WITHIN = 0.9995
"""Share of components that the code's range covers; the rest are clipped to its ends."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How a vector becomes a code: subtract the centre, multiply, round, clip.

    Distances between codes are those between vectors times `factor`; the centre only makes room,
    because vectors of one model point to much the same side.
    """

    centre: Vector
    factor: float

    def code(self, vector: Vector) -> bytes:
        """Return one signed byte for each component."""
        factor = self.factor
        rounded = [round(value * factor) for value in map(sub, vector, self.centre)]
        return array("b", [max(-_LARGEST, min(_LARGEST, value)) for value in rounded]).tobytes()


def kept(vector: Vector) -> bytes:
    """Return the vector as 16-bit fixed point: two bytes a component, exact to 0.00002."""
    return array("h", [round(value * UNIT) for value in vector]).tobytes()


def restored(blob: bytes) -> Vector:
    """Return the vector that `kept` wrote."""
    return array("f", [value / UNIT for value in array("h", blob)])


def similarity(vector: Vector, blob: bytes) -> float:
    """Return the cosine of a unit vector and one that `kept` wrote."""
    return float(sum(map(mul, vector, array("h", blob))) / UNIT)


def fit(vectors: Sequence[Vector]) -> Scale:
    """Return the scale that suits a few hundred vectors or fewer."""
    count, dimensions = len(vectors), len(vectors[0])
    centre = array("f", [0.0] * dimensions)
    if count >= 16:  # the mean of fewer says little
        centre = array("f", [sum(column) / count for column in zip(*vectors, strict=True)])
    sizes = sorted(abs(value) for vector in vectors for value in map(sub, vector, centre))
    reach = sizes[min(len(sizes) - 1, int(len(sizes) * _SHARE_WITHIN))]
    return Scale(centre, _LARGEST / max(reach, 1e-6))
