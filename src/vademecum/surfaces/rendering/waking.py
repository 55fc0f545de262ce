"""What sessions see of memory as text: files that were left out, turns that were found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.lines import Line, block, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.waking import BootContext, TurnsFound


def left_out(made: BootContext) -> Iterator[Line]:
    """Yield a line for each file that belongs into the context and is not in it."""
    for one in made.left_out:
        yield line(("not loaded: ", "warning"), one_line(f"{one.path}: {one.reason}"))


def turns(found: TurnsFound) -> Iterator[Line]:
    """Yield the turns that were found, each with its session, then how many sessions there are."""
    for number, hit in enumerate(found.hits, 1):
        place = f"{hit.session}:{hit.line}"
        said = one_line(f"{hit.turn.at} {hit.turn.speaker}".strip())
        yield line((f"{number}  ", "faint"), (visible(place), "place"), "  ", said)
        yield from block(visible(hit.excerpt), indent=3)
        yield line()
    count, searched = len(found.hits), found.sessions
    yield line((f"{count} turn{_s(count)} in {searched} transcript{_s(searched)}", "faint"))


def _s(number: int) -> str:
    return "" if number == 1 else "s"
