"""Exports in JSON, read record by record however large they are."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass

_BLANKS = " \t\r\n"
_LISTS = frozenset(("results", "memories", "data", "conversations", "relations", "items"))
_LEAST = 1 << 20
_TRIMMED = 8 << 20


@dataclass(frozen=True, slots=True)
class Record:
    """One element of an export: its JSON pointer, value, and the lines it stands on."""

    pointer: str
    value: object
    first: int
    last: int


def records_of(stream: Iterable[bytes]) -> Iterator[Record]:
    """Yield the elements of an export: those of the list it is, or of the lists in it.

    What else an object at the top holds is one record with an empty pointer, at the end. Only one
    element is held at a time. Raises BadInput where it is no JSON.
    """
    reading = _Reading(iter(stream))
    sign = reading.next_sign()
    if sign == "[":
        yield from reading.elements("")
    elif sign == "{":
        yield from reading.members()
    else:
        raise reading.broken()


class _Reading:
    def __init__(self, stream: Iterator[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._parse = json.JSONDecoder(strict=False).raw_decode
        self._text = ""
        self._at = 0
        self._ended = False
        self.line = 1

    def next_sign(self) -> str:
        """Return the next character that is no blank, and stay before it; empty at the end."""
        while True:
            while self._at < len(self._text):
                sign = self._text[self._at]
                if sign not in _BLANKS:
                    return sign
                self._advance(self._at + 1)
            if not self._fill():
                return ""

    def elements(self, pointer: str) -> Iterator[Record]:
        """Yield the elements of the list that begins here."""
        self._advance(self._at + 1)
        number = 0
        while (sign := self.next_sign()) != "]":
            if sign == ",":
                self._advance(self._at + 1)
                continue
            first = self.line
            yield Record(f"{pointer}/{number}", self._value(), first, self.line)
            number += 1
        self._advance(self._at + 1)

    def members(self) -> Iterator[Record]:
        """Yield the elements of the lists in the object that begins here, then the rest of it."""
        self._advance(self._at + 1)
        begun, rest = self.line, dict[str, object]()
        while (sign := self.next_sign()) != "}":
            if sign == ",":
                self._advance(self._at + 1)
                continue
            key = self._value()
            if self.next_sign() != ":" or not isinstance(key, str):
                raise self.broken()
            self._advance(self._at + 1)
            if self.next_sign() == "[" and key in _LISTS:
                yield from self.elements(f"/{key}")
            else:
                rest[key] = self._value()
        self._advance(self._at + 1)
        if rest:
            yield Record("", rest, begun, self.line)

    def broken(self) -> BadInput:
        """Return the error for what is no JSON."""
        return BadInput(
            f"It is no JSON from line {self.line} on.", hint="Export it again, and try that."
        )

    def _value(self) -> object:
        while True:
            try:
                value, end = self._parse(self._text, self._at)
            except ValueError:
                end = len(self._text)
                value = None
            # At the end of what was read, a number may go on.
            if end == len(self._text) and self._fill():
                continue
            if end == len(self._text) and value is None and self._text[self._at : end] != "null":
                raise self.broken()
            self._advance(end)
            return value

    def _advance(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to

    def _fill(self) -> bool:
        """Read on, twice as much as is waited for; return False at the end."""
        if self._ended:
            return False
        if self._at > _TRIMMED:
            self._text, self._at = self._text[self._at :], 0
        wanted, parts = max(_LEAST, len(self._text) - self._at), [self._text]
        got = 0
        for block in self._stream:
            parts.append(self._decoder.decode(block))
            got += len(parts[-1])
            if got >= wanted:
                break
        else:
            self._ended = True
            parts.append(self._decoder.decode(b"", final=True))
            got += len(parts[-1])
        self._text = "".join(parts)
        return got > 0
