"""Frontmatter: read it, and change one key without touching another byte."""

from __future__ import annotations

from vademecum.core.notes import Properties
from vademecum.markdown.lines import split
from vademecum.markdown.properties import read_properties
from vademecum.markdown.scalars import quote

__all__ = ["quote", "read"]


def read(text: str) -> Properties:
    """Return the frontmatter of a note; never raises, `defect` says why it could not be read."""
    return read_properties(split(text)) if text.startswith("---") else Properties()
