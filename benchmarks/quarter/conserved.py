"""Account for all that was told: every line of it is in some file, live, struck or archived."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def missing(root: Path, told: Iterable[str]) -> list[str]:
    """Return what was told and is in no Markdown file below `root`, dot-directories included."""
    everything = "\n".join(
        path.read_text("utf-8", "replace") for path in sorted(root.rglob("*.md")) if path.is_file()
    )
    words = " ".join(everything.split())
    return [text for text in dict.fromkeys(told) if " ".join(text.split()) not in words]
