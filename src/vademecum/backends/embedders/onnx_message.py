"""Writer of ONNX model files: the few Protocol Buffers messages that an encoder needs.

Field numbers are those of ``onnx.proto3`` (IR version 9). Writing them here takes the place of the
``onnx`` package, which would add 30 MB to an installation for these lines.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_IR_VERSION = 9
_STANDARD_OPERATORS = 18
_VENDOR = "com.microsoft"
_FLOAT = 1
_TYPES = {"float32": _FLOAT, "uint8": 2, "int8": 3, "int64": 7}

Array = NDArray[np.float32] | NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.int64]
Attribute = int | float


def node(
    operator: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    vendor: bool = False,
    attributes: Mapping[str, Attribute] | None = None,
) -> bytes:
    """Return a NodeProto; `vendor` operators are those that only onnxruntime has."""
    parts = [_text(1, name) for name in inputs]
    parts += [_text(2, name) for name in outputs]
    parts.append(_text(4, operator))
    parts += [_bytes(5, _attribute(name, value)) for name, value in (attributes or {}).items()]
    if vendor:
        parts.append(_text(7, _VENDOR))
    return b"".join(parts)


def tensor(name: str, values: Array) -> bytes:
    """Return a TensorProto holding the array."""
    parts = [_number(1, size) for size in values.shape]
    parts.append(_number(2, _TYPES[values.dtype.name]))
    parts.append(_text(8, name))
    parts.append(_bytes(9, np.ascontiguousarray(values).tobytes()))
    return b"".join(parts)


def float_value(name: str, shape: Sequence[int | str]) -> bytes:
    """Return a ValueInfoProto: a tensor of 32-bit floats; a size given as text is open."""
    sizes = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape
    )
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, sizes)))


def model(nodes: Iterable[bytes], tensors: Iterable[bytes], inputs: bytes, outputs: bytes) -> bytes:
    """Return a ModelProto of one graph with one input and one output."""
    graph = b"".join(
        [
            *(_bytes(1, part) for part in nodes),
            _text(2, "encoder"),
            *(_bytes(5, part) for part in tensors),
            _bytes(11, inputs),
            _bytes(12, outputs),
        ]
    )
    operators = _bytes(8, _text(1, "") + _number(2, _STANDARD_OPERATORS))
    vendor_operators = _bytes(8, _text(1, _VENDOR) + _number(2, 1))
    return _number(1, _IR_VERSION) + _bytes(7, graph) + operators + vendor_operators


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _varint(value: int) -> bytes:
    # Negative numbers are written as their 64-bit two's complement.
    value &= 0xFFFFFFFFFFFFFFFF
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())
