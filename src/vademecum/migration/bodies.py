"""The text of a source as numbered lines, without its credentials and without losing a byte."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import field

from vademecum.core.frozen import dataclass
from vademecum.markdown.claim_lines import parted
from vademecum.markdown.leading import links_block
from vademecum.markdown.lines import decode, split
from vademecum.markdown.secrets import find_secrets
from vademecum.writing.tombstones import digest_of_text


@dataclass(slots=True)
class Body:
    """Lines, each with its terminator and with its number in the source (0: made here).

    `dropped` are lines that are gone with a credential that ran over several, `redacted` those
    that lost one, both with the rule that found it; `forgotten` say what was forgotten before.
    """

    lines: list[str]
    numbers: list[int]
    dropped: list[tuple[int, str]] = field(default_factory=list)
    forgotten: list[int] = field(default_factory=list)
    redacted: dict[int, str] = field(default_factory=dict)
    made: list[int] = field(default_factory=list)
    """Lines that an export put at the end, which are no part of the note."""

    def insert(self, at: int, line: str) -> None:
        """Put a line that is made here before the line `at`, counted from 0."""
        self.lines.insert(at, line)
        self.numbers.insert(at, 0)

    @property
    def text(self) -> str:
        """All lines as one text."""
        return "".join(self.lines)


@dataclass(frozen=True, slots=True)
class Readable:
    """What a file holds as text; with a `defect`, bytes that are no text stand as lone
    surrogates, which `encoded` turns into the same bytes again."""

    text: str
    defect: str = ""


def readable(data: bytes) -> Readable:
    """Return the text of a file; every byte of it is in there."""
    decoded = decode(data)
    if not decoded.defect:
        return Readable(decoded.text)
    return Readable(data.decode("utf-8", "surrogateescape"), decoded.defect)


def encoded(text: str) -> bytes:
    """Return the bytes of a text that `readable` returned, or that was made of one."""
    return text.encode("utf-8", "surrogateescape")


def shown(text: str) -> str:
    """Return a text without what was no text."""
    return encoded(text).decode("utf-8", "replace").replace("\0", "\ufffd")


def body_of(text: str, first: int = 1, stones: Container[str] = ()) -> Body:
    """Return the lines of `text`, the first of which has the number `first`, without credentials.

    Lines whose tombstone is among `stones` are left out.

    A credential is replaced by `[redacted: RULE]`; of one that runs over several lines, the first
    keeps the mark and what follows the last one.
    """
    lines = split(text)
    body = Body(lines, list(range(first, first + len(lines))))
    if "vade:links" in text and (block := links_block(lines)):
        body.made += body.numbers[block[0] : block[1]]
        del lines[block[0] :], body.numbers[block[0] :]
        text = body.text
    for start, end, rule in reversed(list(_secrets(lines, text))):
        (one, at), (last, stop) = start, end
        mark = f"[redacted: {rule}]"
        body.redacted[body.numbers[one]] = rule
        rest = lines[last][stop:]
        lines[one] = lines[one][:at] + mark + (rest if rest.strip("\r\n") or one == last else "\n")
        body.dropped += [(number, rule) for number in body.numbers[one + 1 : last + 1]]
        del lines[one + 1 : last + 1]
        del body.numbers[one + 1 : last + 1]
    body.dropped.sort()
    if stones:
        _forget(body, stones)
    return body


def _forget(body: Body, stones: Container[str]) -> None:
    for at in range(len(body.lines) - 1, -1, -1):
        line = parted(body.lines[at].strip("\r\n"))
        if line is not None and line.text and digest_of_text(line.text) in stones:
            body.forgotten.insert(0, body.numbers[at])
            del body.lines[at], body.numbers[at]


def _secrets(lines: list[str], text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    """Yield the place of each credential: line from 0 and offset in it, of begin and of end."""
    line, offset = 0, 0
    for secret in find_secrets(text):
        while offset + len(lines[line]) <= secret.start:
            offset += len(lines[line])
            line += 1
        begin = (line, secret.start - offset)
        last, behind = line, offset
        while behind + len(lines[last]) < secret.end:
            behind += len(lines[last])
            last += 1
        yield begin, (last, secret.end - behind), secret.rule
