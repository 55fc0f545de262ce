"""Giving memory out: in which form, and what became of it."""

from __future__ import annotations

import enum

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Passed


class ExportForm(enum.StrEnum):
    """What a memory is written as for others to read."""

    OKF = "okf"
    """A bundle of the Open Knowledge Format, version 0.1."""
    OBSIDIAN = "obsidian"
    """A vault."""
    JSON = "json"
    """Notes with claims, entries and links, as one document or a line each."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What went out; the workspace is as it was."""

    form: ExportForm
    to: str
    notes: int
    claims: int
    indexes: int = 0
    """Files that lead to the notes and were made for the export."""
    renamed: tuple[Passed, ...] = ()
    """Notes that have another path there, with it."""
    redacted: tuple[Passed, ...] = ()
    """Notes that lost a credential, with the rule that saw it and the line."""
    repaired: tuple[Passed, ...] = ()
    """Notes whose frontmatter or bytes could not be read, with what was done."""
    passed: tuple[Passed, ...] = ()
    """What did not go out, with the reason."""
