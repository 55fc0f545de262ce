"""What a flush says and does: due or not, what was kept of it, done before: one value a case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.outcomes import Outcome
from vademecum.core.provenance import Tag
from vademecum.markdown.kinds import Kind


@dataclass(frozen=True, slots=True)
class FlushDue:
    """The window is nearly full: let the agent answer `prompt` in a turn that nobody sees."""

    session: str
    cycle: int
    tokens: int
    threshold: int
    prompt: str


@dataclass(frozen=True, slots=True)
class NotDue:
    """Nothing is to be done; the reason is a sentence."""

    session: str
    cycle: int
    tokens: int
    threshold: int
    reason: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One memory of a flush and what became of it."""

    text: str
    outcome: str
    """`logged`, or what remembering it did: `added`, `updated`, `waiting`, …; or `refused`."""
    tag: str = ""
    span: Span | None = None
    """Where it stands."""
    retargeted: str = ""
    """The file that the agent named and that it could not go to."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Flushed:
    """What one flush wrote: nothing, where there was nothing to keep."""

    session: str
    cycle: int
    kept: tuple[Kept, ...] = ()
    entry: Span | None = None
    """The log entry that holds all of it."""
    replayed: bool = False
    """It was missed, and made up for from the transcript."""


@dataclass(frozen=True, slots=True)
class AlreadyFlushed:
    """This cycle was flushed before; nothing was written."""

    session: str
    cycle: int


@dataclass(frozen=True, slots=True)
class Unflushed:
    """What users said that lasts and no log holds yet, as an entry that a log may get."""

    session: str
    title: str
    origin: str
    """The first line of the entry."""
    said: tuple[str, ...]
    days: tuple[date | None, ...] = ()
    """When each was said, None for today."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be remembered of a memory."""

    text: str
    kind: Kind | None
    tag: Tag
    about: str = ""
    source: Span | None = None
    quote: str = ""


Remember = Callable[[Claim], Outcome]
"""The verb `remember`, for the session that is flushed."""
