"""Questions to memory and the answers to them."""

from __future__ import annotations

import enum
from datetime import date
from typing import TypeAlias

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role, Span
from vademecum.core.provenance import Tag

Day: TypeAlias = date  # a field that is called `date` hides the type


class Level(enum.StrEnum):
    """Which reading answered, cheapest first."""

    MAP = "L1"
    FILE = "L2"
    SEARCH = "L3"


class Status(enum.StrEnum):
    """Whether a source is what memory holds true today."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    CONFLICT = "conflict"
    CANDIDATE = "candidate"


class Freshness(enum.StrEnum):
    """How long ago a source was last verified: within 30 days, longer, or nobody knows."""

    FRESH = "fresh"
    STALE = "stale"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Degradation:
    """A part of the index that was not consulted, why, and what would mend it."""

    part: str
    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the workspace the answer rests on."""

    notes_on_disk: int
    notes_indexed: int
    chunks: int
    chunks_embedded: int
    skipped: int = 0
    """Files that are no notes by policy (size, binary, link); `vade status` lists them."""
    unreadable: int = 0
    """Files and folders that could not be read: the answer knows of them what was read before."""

    @property
    def complete(self) -> bool:
        """Whether every note on disk can be found by keywords, as it is now."""
        return self.notes_indexed >= self.notes_on_disk and not self.unreadable


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk of the index with its score on one leg, greater is better."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as the index holds it."""

    id: int
    span: Span
    text: str
    heading: str
    section: int
    ordinal: int
    """Position in the note, from 0; neighbours differ by one."""
    date: date | None
    role: Role
    digest: str
    """Of the passage; identical passages share it."""


@dataclass(frozen=True, slots=True)
class Legs:
    """A hit's scores before fusion; None where the leg did not return it."""

    lexical: float | None = None
    semantic: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in memory that answers a search."""

    span: Span
    text: str
    heading: str
    date: date | None
    score: float
    legs: Legs
    why: str
    """In words: which terms matched, which leg found it, what moved it."""
    role: Role = Role.OTHER
    status: Status = Status.CURRENT
    freshness: Freshness = Freshness.UNKNOWN
    provenance: Tag = Tag.UNKNOWN
    superseded_by: str = ""
    """Block id (`^c7f3a1`) or span of what replaced it."""
    claim: str = ""
    """Block id, when the hit is a claim."""
    until: Day | None = None
    """The day on which it ceased to hold, where that is known."""
    origin: str = ""
    """The agent whose memory it is from; empty: this one's own. Its path then begins with it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to `search`."""

    hits: tuple[Hit, ...]
    level: Level
    degraded: tuple[Degradation, ...]
    coverage: Coverage
    reason: str = ""
    """Why there is no hit, when there is none."""


@dataclass(frozen=True, slots=True)
class Source:
    """One cited piece of a briefing."""

    span: Span
    text: str
    provenance: Tag
    date: date | None
    status: Status
    freshness: Freshness
    score: float
    why: str
    heading: str = ""
    superseded_by: str = ""
    """Block id (`^c7f3a1`) or span of what replaced it."""
    claim: str = ""
    """Block id, when the source is a claim."""
    actor: str = ""
    until: Day | None = None
    """The day on which it ceased to hold, where that is known."""
    origin: str = ""
    """The agent whose memory it is from; empty: this one's own. Its path then begins with it."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """The answer to `recall`: at most a handful of sources within a token budget."""

    query: str
    sources: tuple[Source, ...]
    level: Level
    degraded: tuple[Degradation, ...]
    coverage: Coverage
    tokens: int
    """Estimated tokens of all sources' text."""
    reason: str = ""
    """Why there is no source, when there is none."""
