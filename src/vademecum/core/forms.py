"""Forms: how the files of a profile spell an entry, a claim that is past, and a list of notes."""

from __future__ import annotations

import enum

from vademecum.core.frozen import dataclass


class LogForm(enum.Enum):
    """How an entry of a daily log is written; all of them are read everywhere."""

    HEADING = "heading"
    """`### HH:MM — Title`, the text in the next line."""
    SPACED = "spaced"
    """The same with an empty line below the heading."""
    BULLET = "bullet"
    """`- HH:MM Title`, the text indented below it, or in its line where there is no title."""


class PastForm(enum.Enum):
    """How a claim that was superseded is marked; all of them are read everywhere."""

    STRIKE = "strike"
    """`- ~~old~~ superseded DATE by ^id`"""
    REASON = "reason"
    """`- ~~old~~ superseded DATE (replaced by ^id)`"""
    QUOTE = "quote"
    """The old line stays as it is, with `> [Superseded DATE] by ^id` below it."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table that lists notes."""

    title: str
    holds: str
    """What of a note stands in it: `link`, `path`, `title`, `priority`, `status`, `verified`,
    `description` or `keywords`."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The section of a map that lists the notes of one folder; without columns, as bullets."""

    folder: str
    """Below the note folder; empty for notes that lie in no folder."""
    heading: str
    columns: tuple[Column, ...] = ()
