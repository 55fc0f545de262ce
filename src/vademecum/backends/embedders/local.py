"""The bundled model, multilingual-e5-small: real semantics without a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vademecum.backends.embedders.c_engine import CEngine
from vademecum.backends.embedders.e5_text import (
    DIMENSIONS,
    MODEL,
    PASSAGE_PREFIX,
    QUERY_PREFIX,
    is_query,
    readable,
)
from vademecum.backends.embedders.weights import find_local_model
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector

LOCAL_IDENTITY = EmbedderIdentity(
    provider="local",
    model=MODEL,
    dimensions=DIMENSIONS,
    query_prefix=QUERY_PREFIX,
    passage_prefix=PASSAGE_PREFIX,
)


class LocalEmbedder:
    """multilingual-e5-small, 384 dimensions, 100 languages, loaded at the first text."""

    def __init__(self, cache_directory: Path | None = None) -> None:
        self._cache_directory = cache_directory
        self._engine: CEngine | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """Return what its vectors may be compared with; every engine of the model has the same."""
        return LOCAL_IDENTITY

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Return one unit vector a text, in order. Raises EmbedderUnavailable."""
        if not texts:
            return []
        engine = self._open()
        return [engine.embed(readable(text), is_query(purpose)) for text in texts]

    def close(self) -> None:
        """Give the model's memory back."""
        if self._engine is not None:
            self._engine.close()

    def _open(self) -> CEngine:
        if self._engine is None:
            model = find_local_model(self._cache_directory)
            if model.library is None:
                raise EmbedderUnavailable("The bundled model has no engine for this platform.")
            self._engine = CEngine(model.library, model.weights)
        return self._engine
