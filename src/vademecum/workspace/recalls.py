"""Which claims were served to which questions, day by day: a short list beside the index."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.core.ids import blake2b

LARGEST = 256 * 1024
"""Bytes of the list; then it becomes the older of two, and that one is forgotten."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class Recalled:
    """One answer: the day, a digest of the question, and the block ids of the claims in it."""

    day: date
    question: str
    claims: tuple[str, ...]


class Recalls:
    """The list of one workspace. It holds no text: neither of a question nor of a claim.

    Digests of questions are keyed with `key`, so that the same question has another digest in
    another workspace. Losing the list loses nothing but what promotion would have counted.
    """

    def __init__(self, state: Path, key: str) -> None:
        self._file = state / "recalled.txt"
        self._older = state / "recalled.1.txt"
        self._key = key.encode()[:64]

    def note(self, day: date, words: str, claims: Sequence[str]) -> None:
        """Add an answer to the question with those words: one small append, nothing waited for.

        Where the list cannot be written, nothing is noted.
        """
        question = blake2b(words.encode("utf-8", "replace"), digest_size=6, key=self._key)
        row = f"{day.isoformat()} {question.hexdigest()} {','.join(claims)}\n".encode()
        with suppress(OSError):
            descriptor = os.open(self._file, _FLAGS, 0o600)
            try:
                os.write(descriptor, row)
                full = os.fstat(descriptor).st_size > LARGEST
            finally:
                os.close(descriptor)
            if full:
                self._file.replace(self._older)

    def since(self, first: date) -> tuple[Recalled, ...]:
        """Return the answers of `first` and later days, oldest first; torn lines are left out."""
        return tuple(one for one in self._all() if one.day >= first)

    def _all(self) -> Iterator[Recalled]:
        for file in (self._older, self._file):
            with suppress(OSError):
                for row in file.read_bytes().decode("ascii", "replace").splitlines():
                    if (read := _read(row)) is not None:
                        yield read


def _read(row: str) -> Recalled | None:
    parts = row.split(" ")
    with suppress(ValueError):
        day, question, claims = parts
        return Recalled(date.fromisoformat(day), question, tuple(filter(None, claims.split(","))))
    return None
