"""What was written and what was made, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vademecum.core.changes import Change, Written
from vademecum.core.notes import Span
from vademecum.surfaces.rendering.lines import Line, columns, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.memory import Prepared


def initialised(made: Prepared) -> Iterator[Line]:
    """Yield what `init` created and what it found."""
    for path in made.created:
        yield line(("created ", "good"), (visible(path), "place"))
    place = visible(str(made.root))
    if made.created:
        yield line(f"Workspace {place} is ready (profile {made.profile}).")
    else:
        yield line(f"Workspace {place} is complete (profile {made.profile}); nothing was changed.")


def written(done: Written, verb: str) -> Iterator[Line]:
    """Yield where a write went and the id that takes it back."""
    if not done.change:
        yield line(f"{visible(done.path)} is unchanged.")
        return
    place = str(Span(done.path, done.first, done.last)) if done.last else done.path
    yield line((f"{verb} ", "good"), (visible(place), "place"), (f"  undo: {done.change}", "faint"))
    if done.merged:
        yield line("Another writer changed the file meanwhile; both changes stand.", indent=2)
    if done.conflict:
        yield line((f"both versions are kept; see {visible(done.conflict)}", "warning"), indent=2)


def undone(change: str, done: Sequence[Written]) -> Iterator[Line]:
    """Yield what taking back `change` wrote."""
    for item in done:
        yield from written(item, f"took back {visible(change)} in")
    if not done:
        yield line("Nothing had to be taken back.")


def _told(change: Change) -> str:
    told = one_line(change.summary)
    if change.undoes:
        told += f" (undoes {change.undoes})"
    if (usage := change.usage) is not None:
        about = "about " if usage.estimated else ""
        told += f": {about}{usage.sent:,} + {usage.received:,} tokens"
        told += "" if usage.cost is None else f", ${usage.cost:.4f}"
    return told


def history(changes: Sequence[Change], by: str = "") -> Iterator[Line]:
    """Yield one row for each change, newest first; `by` is the actor that was asked for."""
    if not changes:
        yield line("No such write is recorded.")
        return
    rows = [
        (
            change.id,
            change.at.strftime("%Y-%m-%d %H:%M:%S"),
            visible(f"{change.actor}, now {by}" if by and change.actor != by else change.actor),
            visible(change.verb),
            visible(change.path),
            _told(change),
        )
        for change in changes
    ]
    yield from columns(rows, styles=("faint", "", "", "good", "place", ""))
