"""Claims: lines that memory holds true, each with provenance and validity."""

from __future__ import annotations

from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.provenance import Tag


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of memory as read from its note."""

    id: str
    """Obsidian block id, or empty where the line has none."""
    text: str
    """What is claimed, without bullet, tag, dates, evidence, strike and id."""
    tag: Tag
    span: Span
    since: date | None = None
    until: date | None = None
    """Day it was superseded; None while it is live."""
    evidence: tuple[str, ...] = ()
    """Link targets that support it, as written."""
    superseded_by: str = ""
    struck: bool = False
    conflict: bool = False
    slot: str = ""
    """What the claim gives a value to, where whoever wrote it said so; empty: to be read off it."""

    @property
    def live(self) -> bool:
        """Whether the claim stands: neither struck nor dated as ended."""
        return not self.struck and self.until is None
