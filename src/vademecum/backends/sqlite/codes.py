"""Vectors as bytes: half precision for keeping, centred 8-bit codes for comparing in bulk."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from operator import mul, sub

from vademecum.core.frozen import dataclass
from vademecum.core.ports import Vector

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
    """Return the vector in half precision."""
    return struct.pack(f"<{len(vector)}e", *vector)


def restored(blob: bytes) -> Vector:
    """Return the vector that `kept` wrote."""
    return array("f", struct.unpack(f"<{len(blob) // 2}e", blob))


def similarity(left: Vector, right: Vector) -> float:
    """Return the cosine of two vectors of unit length."""
    return float(sum(map(mul, left, right)))


def fit(vectors: Sequence[Vector]) -> Scale:
    """Return the scale that suits a few hundred vectors or fewer."""
    count, dimensions = len(vectors), len(vectors[0])
    centre = array("f", [0.0] * dimensions)
    if count >= 16:  # the mean of fewer says little
        centre = array("f", [sum(column) / count for column in zip(*vectors, strict=True)])
    sizes = sorted(abs(value) for vector in vectors for value in map(sub, vector, centre))
    reach = sizes[min(len(sizes) - 1, int(len(sizes) * _SHARE_WITHIN))]
    return Scale(centre, _LARGEST / max(reach, 1e-6))
