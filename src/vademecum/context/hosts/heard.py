"""What a hook was told, the same for every host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from vademecum.context.events import BootEvent
from vademecum.context.turns import Turn
from vademecum.core.frozen import dataclass

Fields = Mapping[str, Any]
"""One JSON object as a host wrote it; nothing of it can be relied on."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What is to be done about one event of a host; nothing unless a field says so."""

    boot: BootEvent | None = None
    """A window begins."""
    said: tuple[Turn, ...] = ()
    """Reported as it happened, before the host's transcript tells of it."""
    sweep: bool = False
    """The host's transcript may hold turns that are not on file yet."""
    known: bool = True
    """False: an event, or a form of one, that this version knows nothing about."""


class Host(Protocol):
    """One coding agent."""

    name: str

    def session(self, fields: Fields) -> str:
        """Return the id of the session that an event is about, empty where it names none."""

    def folder(self, fields: Fields) -> str:
        """Return the working directory of the session, empty where it names none."""

    def transcript(self, fields: Fields) -> str:
        """Return the path of the host's own transcript, empty where it names none."""

    def heard(self, event: str, fields: Fields) -> Heard:
        """Return what an event says; `event` is its name in lower case without separators."""

    def turns(self, row: Fields) -> tuple[Turn, ...]:
        """Return the turns in one row of the host's transcript."""


def text_at(fields: Fields, *keys: str) -> str:
    """Return the first text under one of `keys`, empty where none holds one."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def starts(fields: Fields, sources: Mapping[str, BootEvent]) -> Heard:
    """Return what a session's start says: an unknown or missing source loads nothing."""
    source = sources.get(text_at(fields, "source").lower())
    return Heard(boot=source) if source else Heard(known=False)
