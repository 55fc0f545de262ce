"""The port to a model: a question in, texts in a given form out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Model(Protocol):
    """Answers a question in a given form. What it says is data and is checked like anybody's."""

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """Return a list of texts, each on one line, under every name in `wanted`.

        `wanted` says of each name what belongs there. Raises ModelUnavailable; rules go on then.
        """
