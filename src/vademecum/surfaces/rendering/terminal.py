"""Lines on a terminal: colour, wrapping to its width; plain where rich is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from vademecum.surfaces.rendering.lines import STYLES, Line


def write_plain(lines: Iterable[Line], file: TextIO) -> None:
    """Write each line as it is, without colour and without wrapping."""
    for line in lines:
        file.write(line.plain + "\n")


def write_terminal(lines: Iterable[Line], file: TextIO) -> None:
    """Write lines for a person: styled and wrapped; `NO_COLOR` and `TERM=dumb` are respected."""
    try:
        from rich.console import Console  # noqa: PLC0415  only a terminal pays for rich
        from rich.padding import Padding  # noqa: PLC0415  only a terminal pays for it
        from rich.text import Text  # noqa: PLC0415  only a terminal pays for it
    except ImportError:
        write_plain(lines, file)
        return
    console = Console(file=file, highlight=False, emoji=False, markup=False)
    for line in lines:
        pieces = [(text, STYLES[style]) for text, style in line.pieces]
        text = Text.assemble(*pieces, overflow="fold")
        console.print(Padding(text, (0, 0, 0, line.indent), expand=False) if line.indent else text)
