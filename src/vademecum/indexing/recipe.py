"""By which rules notes are cut: what an index is made with, and must be made anew for."""

from __future__ import annotations

from vademecum.markdown.rules import CHUNKER_VERSION, ChunkRules
from vademecum.workspace.keys import ChunkSettings


def recipe_of(settings: ChunkSettings, profile: str = "") -> str:
    """Return what two runs must share for the same file to give the same chunks and role."""
    cut = f"{settings.unit} {settings.tokens} {settings.overlap}"
    return f"chunker {CHUNKER_VERSION}: {cut} {profile}".rstrip()


def rules_of(settings: ChunkSettings) -> ChunkRules:
    """Return the rules that the configuration asks for."""
    return ChunkRules(settings.tokens, settings.overlap, settings.unit)
