"""Why a window begins, and what memory puts into it: the values of boot."""

from __future__ import annotations

import enum

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass


class BootEvent(enum.StrEnum):
    """Why a context window begins."""

    STARTUP = "startup"
    RESUME = "resume"
    CLEAR = "clear"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True)
class BootPart:
    """One file in the boot context."""

    path: str
    text: str
    """What of it was put in, its notice of truncation included."""
    length: int
    """Characters that it would have put in without a budget."""
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that belongs into the context and is not in it, or only named there."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class BootContext:
    """What a fresh window opens with.

    Characters are UTF-16 code units, as hosts count them.
    """

    event: str
    profile: str
    text: str
    """To be put into the window as it is; empty: nothing is."""
    parts: tuple[BootPart, ...] = ()
    changed: tuple[str, ...] = ()
    """At resume: files of this session's context that changed since it was made."""
    left_out: tuple[LeftOut, ...] = ()
    length: int = 0
    budget: int = 0


def event_named(name: str) -> BootEvent:
    """Return the event of that name. Raises BadInput."""
    try:
        return BootEvent(name)
    except ValueError:
        raise BadInput(
            f"There is no event {name[:60]!r}, so nothing is loaded.",
            hint=f"Events are: {', '.join(BootEvent)}.",
        ) from None
