"""A scripted model: it answers with lines of the prompt, the same each time."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.testing import ScriptedModel

_MOST = 3


def scripted_model() -> ScriptedModel:
    """Return a model that picks, for every name that is wanted, the first lines that fit it."""
    return ScriptedModel(_answer)


def _answer(prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    lines = [line.strip("-* ").strip() for line in prompt.splitlines() if line.startswith("- ")]
    return {name: tuple(lines[:_MOST]) for name in wanted}
