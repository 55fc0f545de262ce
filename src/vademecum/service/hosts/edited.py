"""One file of a host before and after its pieces: worked out whole before anything is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from vademecum.core.errors import ForeignConfiguration, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.service.hosts import json_text, toml_text
from vademecum.service.hosts.pieces import Piece, Table, Whole, values_after

_LARGEST = 20_000_000
_COMMENTS = ("//", "/*")


@dataclass(frozen=True, slots=True)
class Edited:
    """What a file holds and what it is to hold; None: it is not there."""

    path: Path
    before: bytes | None
    after: bytes | None
    pieces: tuple[Piece, ...]

    @property
    def changes(self) -> bool:
        """Whether there is anything to be done."""
        return self.before != self.after


def read(path: Path) -> bytes | None:
    """Return what a file holds, None where there is none. Raises Unreadable."""
    try:
        if path.stat().st_size > _LARGEST:
            raise Unreadable(f"{path} is too large to be a configuration.")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}.") from error


def with_pieces(path: Path, pieces: Sequence[Piece]) -> Edited:
    """Return the edit that puts `pieces` into a file, and nothing else.

    Raises ForeignConfiguration where the file is not in a form that can be edited safely; its hint
    holds what a person would paste.
    """
    before = read(path)
    if isinstance(pieces[0], Whole):
        return Edited(path, before, pieces[0].text.encode(), tuple(pieces))
    loads = toml_text.loads if isinstance(pieces[0], Table) else json_text.loads
    text, mark = _text(path, before, pieces)
    try:
        held = loads(text)
        for piece in pieces:
            text = piece.put(text)
        if _plain(loads(text)) != values_after(pieces, held):
            raise ValueError("the edit would have changed something else")
    except (ValueError, RecursionError, TypeError, AttributeError) as error:
        raise _foreign(path, before, pieces, error) from error
    return Edited(path, before, mark + text.encode(), tuple(pieces))


def without_pieces(path: Path, pieces: Sequence[Piece], original: bytes | None) -> Edited:
    """Return the edit that takes `pieces` out of a file, whatever else it holds by now.

    `original` is the file as it was before they came. A file that would hold nothing any more, and
    was not there before, goes. Raises ForeignConfiguration.
    """
    before = read(path)
    if before is None or isinstance(pieces[0], Whole):
        return Edited(path, before, None, tuple(pieces))
    loads = toml_text.loads if isinstance(pieces[0], Table) else json_text.loads
    text, mark = _text(path, before, pieces)
    try:
        first = loads(original.decode("utf-8-sig")) if original else {}
        for piece in pieces:
            text = piece.taken(text, first)
        left = loads(text)
    except (ValueError, RecursionError) as error:
        raise _foreign(path, before, (), error) from error
    after = None if not left and original is None else mark + text.encode()
    return Edited(path, before, after, tuple(pieces))


def _plain(value: object) -> object:
    """Return values of TOML as JSON has them, dates as their text."""
    return json.loads(json.dumps(value, default=str))


def _text(path: Path, before: bytes | None, pieces: Sequence[Piece]) -> tuple[str, bytes]:
    """Return a file's text, and the mark before it that must stay."""
    data = before or b""
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    try:
        text = data[len(mark) :].decode()
    except UnicodeDecodeError as error:
        raise _foreign(path, before, pieces, error) from error
    if not text.strip() and not isinstance(pieces[0], Table):
        text = "{}\n"
    return text, mark


def _foreign(
    path: Path, before: bytes | None, pieces: Sequence[Piece], error: Exception
) -> ForeignConfiguration:
    told = str(error) or "it is nested too deeply"
    if any(sign.encode() in (before or b"") for sign in _COMMENTS) and isinstance(
        error, json.JSONDecodeError
    ):
        told = f"it holds comments, or is no JSON ({error})"
    paste = " ".join(piece.shown() for piece in pieces)
    return ForeignConfiguration(
        f"{path} cannot be edited without damage: {told}. Nothing was changed.",
        hint=f"Add this to it yourself: {paste}"
        if paste
        else "Take the parts named vademecum out.",
    )
