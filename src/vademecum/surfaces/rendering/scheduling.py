"""How the system runs jobs: what is in place, what ran last, what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.lines import Line, block, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.timers.placed import Schedule


def scheduled(found: Schedule, action: str) -> Iterator[Line]:
    """Yield how things stand after `action`."""
    kind = found.kind.value if found.kind is not None else "timers"
    if found.installed:
        how = "in place"
        if not found.running:
            how = f"in place, but {kind} does not run it: vade schedule install"
        elif not found.current:
            how = "in place, but not as `install` would write it now"
        sound = found.running and found.current
        yield line((f"{kind}: ", "strong"), (how, "good" if sound else "warning"))
        for piece in found.pieces:
            yield line((visible(piece.place), "place"), indent=2)
    else:
        gone = "removed" if action == "remove" else "none is in place: vade schedule install"
        yield line((f"{kind}: ", "strong"), gone)
    for other in found.also:
        how = f"in place too; one is enough: vade schedule remove --kind {other.value}"
        yield line((f"{other.value}: ", "strong"), (how, "warning"))
    for said in found.said:
        yield line((one_line(said), "warning"))
    for run in found.last:
        stamp = f"{run.done:%Y-%m-%d %H:%M}" if isinstance(run.done, datetime) else f"{run.done}"
        yield line((f"{run.job}: ", "strong"), f"last for {stamp}")
    if found.next is not None:
        yield line(("next: ", "strong"), f"{found.next:%Y-%m-%d %H:%M}")


def to_write(found: Schedule) -> Iterator[Line]:
    """Yield each piece below the place it belongs to."""
    for piece in found.pieces:
        yield line((f"# {visible(piece.place)}", "place"))
        yield from block(visible(piece.text.rstrip("\n")))
