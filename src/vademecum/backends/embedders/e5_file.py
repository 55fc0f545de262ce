"""Reader of the bundled model's weight file: sizes, vocabulary, and tensors in blocks of 4 bits.

The file is mapped, not read, so that its pages are shared with every other process. Layout, all
little-endian: magic ``E5S1``, version, seven sizes, epsilon, block size; vocabulary (five numbers,
byte offsets, scores, the pieces' bytes); normalisation (code point, count, replacement); directory
of tensors (name, type, count, offset, bytes). A 4-bit block holds a half-precision scale and 16
bytes: byte j carries weight j in its low and weight j + 16 in its high half, each plus 8.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vademecum.core.frozen import dataclass

BLOCK = 32
_BLOCK_BYTES = 18
_HEADER = struct.Struct("<4sI7ifi")
_VOCABULARY = struct.Struct("<5iQ")
_TENSOR_TAIL = struct.Struct("<BIQQ")

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Shape of the encoder."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces with their log probabilities, by id, and what each code point is replaced by."""

    pieces: list[str]
    scores: list[float]
    begin: int
    end: int
    unknown: int
    replacements: dict[int, str]


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix in 4 bits: `scales` is (rows, blocks), `halves` is (rows, blocks, 16)."""

    scales: Floats
    halves: Bytes

    def weights(self) -> Bytes:
        """Return (rows, blocks, 32) numbers from 0 to 15: each weight over its scale, plus 8."""
        return np.concatenate([self.halves & 15, self.halves >> 4], -1)

    def matrix(self) -> Floats:
        """Return the (rows, columns) matrix of real weights."""
        centred = self.weights().astype(np.float32) - np.float32(8)
        return (centred * self.scales[..., None]).reshape(len(self.scales), -1)


class E5File:
    """One mapped weight file. Whoever opens it has verified its digest."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        self._view = memoryview(self._bytes.data)
        _, _, *shape, epsilon, _ = _HEADER.unpack_from(self._view)
        hidden, layers, heads, inner, words, positions, _ = shape
        self.sizes = Sizes(hidden, layers, heads, inner, words, positions, epsilon)
        self.vocabulary, directory = self._read_vocabulary(_HEADER.size)
        self._tensors = self._read_directory(directory)

    def floats(self, name: str) -> Floats:
        """Return a tensor of 32-bit floats, flat."""
        offset, size = self._tensors[name]
        return self._bytes[offset : offset + size].view(np.float32)

    def blocks(self, name: str, rows: int) -> Blocks:
        """Return a tensor of 4-bit blocks."""
        return _blocks(self._stored(name, rows))

    def rows(self, name: str, rows: int, chosen: list[int]) -> Floats:
        """Return only the chosen rows of a matrix in 4-bit blocks."""
        return _blocks(self._stored(name, rows)[chosen]).matrix()

    def _stored(self, name: str, rows: int) -> Bytes:
        offset, size = self._tensors[name]
        return self._bytes[offset : offset + size].reshape(rows, -1, _BLOCK_BYTES)

    def _read_vocabulary(self, at: int) -> tuple[Vocabulary, int]:
        count, begin, end, _, unknown, text_size = _VOCABULARY.unpack_from(self._view, at)
        at += _VOCABULARY.size
        offsets = self._bytes[at : at + 4 * (count + 1)].view(np.uint32)
        at += 4 * (count + 1)
        scores = self._bytes[at : at + 4 * count].view(np.float32).tolist()
        at += 4 * count
        text = self._bytes[at : at + text_size]
        at += text_size
        replacements, at = self._read_replacements(at)
        pieces = _cut(text, offsets)
        return Vocabulary(pieces, scores, begin, end, unknown, replacements), at

    def _read_replacements(self, at: int) -> tuple[dict[int, str], int]:
        count, size = struct.unpack_from("<iI", self._view, at)
        at += 8
        table = self._bytes[at : at + size].tobytes()
        replacements: dict[int, str] = {}
        position = 0
        for _ in range(count):
            (code_point,) = struct.unpack_from("<I", table, position)
            length = table[position + 4]
            replaced = struct.unpack_from(f"<{length}I", table, position + 5)
            replacements[code_point] = "".join(map(chr, replaced))
            position += 5 + 4 * length
        return replacements, at + size

    def _read_directory(self, at: int) -> dict[str, tuple[int, int]]:
        (count,) = struct.unpack_from("<i", self._view, at)
        at += 4
        tensors: dict[str, tuple[int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._view, at)
            at += 2
            name = self._bytes[at : at + length].tobytes().decode()
            at += length
            _, _, offset, size = _TENSOR_TAIL.unpack_from(self._view, at)
            at += _TENSOR_TAIL.size
            tensors[name] = (offset, size)
        return tensors


def _blocks(stored: Bytes) -> Blocks:
    scales = np.ascontiguousarray(stored[:, :, :2]).view(np.float16)[..., 0]
    return Blocks(scales.astype(np.float32), stored[:, :, 2:])


def _cut(text: Bytes, offsets: NDArray[np.uint32]) -> list[str]:
    # Decoding once and cutting at character offsets takes a third of decoding 250,000 pieces.
    starts_character = (text & 0xC0) != 0x80
    characters = np.concatenate([[0], np.cumsum(starts_character)])[offsets].tolist()
    decoded = text.tobytes().decode()
    return [decoded[start:end] for start, end in zip(characters, characters[1:], strict=False)]
