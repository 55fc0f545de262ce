"""What happens while memory is served: one line of a log for each event, or one row of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.as_json import Json, plain
from vademecum.surfaces.rendering.health import sync_fields, synced
from vademecum.surfaces.rendering.jobs import report_fields, reported_in_brief
from vademecum.surfaces.rendering.lines import Line, line
from vademecum.surfaces.rendering.visible import one_line

if TYPE_CHECKING:
    from vademecum.service.serving import Event


def event_fields(event: Event) -> dict[str, Json]:
    """Return an event with `event` saying what sort it is."""
    from vademecum.service.serving import Ran, Synced  # noqa: PLC0415  loaded when there is one

    named: dict[str, Json] = {"event": type(event).__name__.casefold(), "at": plain(event.at)}
    match event:
        case Ran(report=report):
            return {**named, "report": report_fields(report)}
        case Synced(report=sync):
            return {**named, "report": plain(sync_fields(sync))}
        case _:
            made = plain(event)
            return {**named, **made} if isinstance(made, dict) else named


def told(event: Event) -> Iterator[Line]:
    """Yield the lines of an event, each behind its time."""
    stamp = (f"{event.at:%Y-%m-%d %H:%M:%S}  ", "faint")
    for row in _rows(event):
        yield Line((stamp, *row.pieces), row.indent)


def _rows(event: Event) -> Iterator[Line]:
    from vademecum.service.serving import (  # noqa: PLC0415  as above
        Failed,
        LeftOut,
        Ran,
        Synced,
    )

    match event:
        case Ran(report=report):
            yield from reported_in_brief(report)
        case Synced(report=sync):
            yield from synced(sync)
        case Failed(job=job, key=key, reason=reason, hint=hint):
            yield line((f"{job.value} {key} failed: ", "bad"), one_line(reason))
            if hint:
                yield line((one_line(hint), "faint"))
        case LeftOut(runs=runs):
            missed = f"{runs.first} to {runs.last}" if runs.first != runs.last else str(runs.first)
            yield line(
                (f"{runs.job.value}: missed {missed}, too long ago to make up for", "warning")
            )
        case _:
            yield line((one_line(event.text), "faint"))
