"""Lines of text made of styled pieces, so that one rendering serves pipes and terminals."""

from __future__ import annotations

from collections.abc import Iterable

from vademecum.core.frozen import dataclass

Piece = tuple[str, str]
"""A run of text and the name of its style, empty for none (`strong`, `place`, `faint`, …)."""

STYLES = {
    "": "",
    "strong": "bold",
    "place": "cyan",
    "faint": "dim",
    "good": "green",
    "warning": "yellow",
    "bad": "bold red",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output; `indent` also applies to what a terminal has to wrap."""

    pieces: tuple[Piece, ...] = ()
    indent: int = 0

    @property
    def plain(self) -> str:
        """The line as a pipe gets it."""
        text = "".join(text for text, _ in self.pieces)
        return " " * self.indent + text if text else ""


def line(*pieces: str | Piece, indent: int = 0) -> Line:
    """Return a line of `pieces`; a bare string has no style."""
    return Line(tuple((p, "") if isinstance(p, str) else p for p in pieces), indent)


def block(text: str, *, indent: int = 0, style: str = "") -> Iterable[Line]:
    """Yield one line for each line of `text`, which has to be visible text already."""
    for row in text.split("\n"):
        yield line((row, style), indent=indent)


def columns(rows: Iterable[tuple[str, ...]], *, styles: tuple[str, ...] = ()) -> Iterable[Line]:
    """Yield `rows` with aligned columns; the last column is not padded."""
    rows = list(rows)
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        pieces: list[Piece] = []
        for index, cell in enumerate(row):
            style = styles[index] if index < len(styles) else ""
            last = index == len(row) - 1
            pad = "" if last else " " * (widths[index] - width(cell) + 2)
            pieces += [(cell, style), (pad, "")]
        yield Line(tuple(piece for piece in pieces if piece[0]))


def width(text: str) -> int:
    """Return the columns `text` takes on a terminal: two for a wide character."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415  only text beyond ASCII needs the tables

    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )
