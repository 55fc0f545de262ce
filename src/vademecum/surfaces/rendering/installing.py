"""What was done to a coding agent's configuration, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.lines import Line, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.installing import Installed, ToPaste


def installed(done: Installed) -> Iterator[Line]:
    """Yield every file, every answer of the round trip, and what is left to the user."""
    for file in done.files:
        style = "faint" if file.what == "unchanged" else "good"
        yield line((f"{file.what}  ", style), (visible(file.path), "place"))
        if file.backup and file.what in ("changed", "removed"):
            yield line(f"as it was: {visible(file.backup)}", indent=3)
    for one in done.asked:
        verdict = ("answers  ", "good") if one.works else ("fails  ", "warning")
        yield line(verdict, f"{one.what}: {one_line(one.told)}")
        if not one.works:
            yield line(visible(one.command), indent=3)
    if done.afterwards:
        yield line(("then  ", "warning"), done.afterwards)


def to_paste(found: Sequence[ToPaste]) -> Iterator[Line]:
    """Yield what would go into each file, below the file's path."""
    for one in found:
        yield line((visible(one.path), "place"))
        for row in one.text.rstrip("\n").split("\n"):
            yield line(visible(row))
        yield line("")
