"""What was gathered from other agents, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.lines import Line, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.sharing import Gathered


def gathered(done: Gathered) -> Iterator[Line]:
    """Yield a line for each event with its origin, then what was passed over."""
    if not done.agents:
        yield line("No agent lets this one read its memory; `vade grant READER OWNER` does.")
        return
    verb = "would log  " if done.dry_run else "logged  "
    for event in done.events:
        when = f"{event.day.isoformat()} {event.time}".strip()
        yield line((verb, "good"), one_line(event.title), (f"  {when}", "faint"))
        yield line((visible(str(event.origin)), "place"), indent=3)
    for origin, why in done.passed_over:
        yield line(("passed over  ", "warning"), (visible(origin), "place"), f"  {one_line(why)}")
    told = f"{plural(len(done.events), 'event')} of {plural(len(done.agents), 'agent')}"
    yield line(told if done.events else f"Nothing new of {plural(len(done.agents), 'agent')}.")
