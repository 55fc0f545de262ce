"""What a flush and a compaction did, as JSON for scripts and as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import degradations
from vademecum.surfaces.rendering.as_json import Json, plain
from vademecum.surfaces.rendering.lines import Line, block, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.keeping import (
        AlreadyFlushed,
        Compacted,
        FlushDue,
        Flushed,
        HistoryKept,
        NotDue,
    )

    Done = Flushed | AlreadyFlushed | tuple[Flushed, ...]


def due_fields(made: FlushDue | NotDue) -> dict[str, Json]:
    """Return the answer to whether a flush is due, with `due` saying which it is."""
    return {"due": hasattr(made, "prompt"), **_fields(made)}


def flushed_fields(done: Done) -> dict[str, Json]:
    """Return what was written: one flush, or the list of those that were made up for."""
    if isinstance(done, tuple):
        return {"replayed": [flushed_fields(one) for one in done]}
    return {"already": not hasattr(done, "kept"), **_fields(done)}


def compacted_fields(
    done: Compacted | HistoryKept, given: Sequence[Mapping[str, object]] | None
) -> dict[str, Json]:
    """Return what was done, with `compacted` saying whether; with the window as it is now.

    `messages` is that window where one was `given`: instructions, the summary, and what stays.
    """
    fields: dict[str, Json] = {"compacted": hasattr(done, "summary"), **_fields(done)}
    if given is not None:
        fields["messages"] = plain(window(done, given))
    return fields


def window(
    done: Compacted | HistoryKept, given: Sequence[Mapping[str, object]]
) -> list[Mapping[str, object]]:
    """Return the messages of a window after `done`: as they were, where history was kept."""
    cut = getattr(done, "first_kept", 0)
    if not cut:
        return list(given)
    system = [one for one in given[:cut] if str(one.get("role", "")) in ("system", "developer")]
    return [*system, {"role": "user", "content": getattr(done, "text", "")}, *given[cut:]]


def due(made: FlushDue | NotDue) -> Iterator[Line]:
    """Yield the prompt where a flush is due, else the reason why not."""
    if prompt := getattr(made, "prompt", ""):
        yield from block(visible(prompt.rstrip("\n")))
    else:
        yield line((f"not due: {one_line(getattr(made, 'reason', ''))}", "faint"))


def flushed(done: Done) -> Iterator[Line]:
    """Yield a line for each memory, with what became of it."""
    if isinstance(done, tuple):
        for one in done:
            yield from flushed(one)
        if not done:
            yield line(("no flush was missed", "faint"))
        return
    kept = getattr(done, "kept", None)
    if not kept:
        told = "nothing to keep" if kept is not None else "this cycle was flushed already"
        yield line((told, "faint"))
    for one in kept or ():
        where = f"  {one.span}" if one.span else ""
        yield line((f"{one.outcome}  ", "strong"), one_line(one.text), (visible(where), "place"))
        if one.reason:
            yield line((one_line(one.reason), "faint"), indent=2)


def compacted(done: Compacted | HistoryKept) -> Iterator[Line]:
    """Yield the summary, or the reasons why history was kept."""
    for reason in getattr(done, "reasons", ()):
        yield line(("history kept: ", "warning"), one_line(reason))
    if text := getattr(done, "text", ""):
        yield from block(visible(text))
    yield from degradations(getattr(done, "degraded", ()))


def _fields(value: object) -> dict[str, Json]:
    made = plain(value)
    return made if isinstance(made, dict) else {}
