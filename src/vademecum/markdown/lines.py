"""Bytes to text and text to lines, without losing a byte or a line number on the way."""

from __future__ import annotations

import codecs

from vademecum.core.errors import InvalidText
from vademecum.core.frozen import dataclass

_SAMPLE = 8192
_BINARY_SHARE = 0.3
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a file, without a byte order mark.

    `encoding` is `utf-8`, `utf-8-sig`, `utf-16-le` or `utf-16-be`. `defect` says what could not be
    read as text; U+FFFD then stands in its place, line numbers are exact all the same, and the
    text cannot be turned back into the bytes it came from.
    """

    text: str
    encoding: str = "utf-8"
    defect: str = ""

    def encode(self, text: str) -> bytes:
        """Return `text` in the encoding and with the mark of the file that was read.

        Raises InvalidText when the file held bytes that an edit through text would destroy.
        """
        if self.defect:
            raise InvalidText(
                f"the file {self.defect}, and an edit would lose those bytes",
                hint="repair the file in an editor first",
            )
        for mark, encoding in _MARKS:
            if encoding == self.encoding:
                return mark + text.encode(encoding.removesuffix("-sig"))
        return text.encode("utf-8")


def decode(content: bytes) -> Decoded:
    """Return the text of a file; what is no text becomes U+FFFD and is named in `defect`."""
    encoding, body = "utf-8", content
    for mark, name in _MARKS:
        if content.startswith(mark):
            encoding, body = name, content[len(mark) :]
    codec = encoding.removesuffix("-sig")
    defect = ""
    try:
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        line = body[: error.start].decode(codec, "replace").count("\n") + 1
        defect = f"holds bytes that are not {codec.upper()} (first in line {line})"
        text = body.decode(codec, "replace")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        defect = defect or f"holds NUL bytes (first in line {line})"
        text = text.replace("\0", "\ufffd")
    return Decoded(text, encoding, defect)


def is_binary(content: bytes) -> bool:
    """Whether a file that is named like a note is something else.

    A NUL in the first 8 KB makes it suspect; it is binary when nearly a third of that sample is no
    text. So a log whose last line was cut by a crash and padded with NULs is still read.
    """
    sample = content[:_SAMPLE].rstrip(b"\0")
    if b"\0" not in sample or content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return not sample and bool(content)
    text = sample.decode("utf-8", "replace")
    strange = sum(1 for sign in text if sign == "\ufffd" or (sign < " " and sign not in "\t\n\r\f"))
    return strange > _BINARY_SHARE * len(text)


def split(text: str) -> list[str]:
    """Return the lines of `text`, each with its terminator; joining them gives `text` again.

    Only a line feed ends a line: a carriage return before it belongs to the terminator, and U+2028
    and its like are ordinary characters, as they are to editors, grep and Git.
    """
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    if last:
        lines.append(last)
    return lines


def newline_of(text: str) -> str:
    """Return the terminator most lines of `text` have: a CR LF pair or LF (also for no lines)."""
    pairs = text.count("\r\n")
    return "\r\n" if pairs * 2 > text.count("\n") else "\n"
