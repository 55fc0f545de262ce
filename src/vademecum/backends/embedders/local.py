"""The bundled model, multilingual-e5-small: real semantics without a network."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vademecum.backends.embedders.e5_text import (
    DIMENSIONS,
    MODEL,
    PASSAGE_PREFIX,
    QUERY_PREFIX,
    is_query,
)
from vademecum.backends.embedders.readable import readable
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector

if TYPE_CHECKING:
    from vademecum.backends.embedders.weights import LocalModel

LOCAL_IDENTITY = EmbedderIdentity(
    provider="local",
    model=MODEL,
    dimensions=DIMENSIONS,
    query_prefix=QUERY_PREFIX,
    passage_prefix=PASSAGE_PREFIX,
)

FEW_BYTES = 800
"""UTF-8 length of all texts of a call, about 200 tokens in any script, up to which the compiled
engine is done before the bulk engine would have loaded. The rule looks at the call alone, so that
the same call gives the same vectors whatever the process did before."""


class Engine(Protocol):
    """One loaded form of the model; all of them agree to a cosine of .99."""

    def embed(self, text: str, as_query: bool) -> Vector:
        """Return the vector of a readable text; safe to call from several threads."""

    def close(self) -> None:
        """Give the memory back."""


class LocalEmbedder:
    """multilingual-e5-small: 384 dimensions, 100 languages, loaded at the first text.

    `cache_directory` remembers that the weights were verified; `threads` bounds how many texts are
    embedded at once (default: as many as this process may use cores). Of a text the first 8,000
    characters count; beyond 512 tokens its vector is the mean over windows. Close it when no other
    thread is embedding.
    """

    def __init__(self, cache_directory: Path | None = None, threads: int | None = None) -> None:
        self._cache_directory = cache_directory
        self._threads = threads or available_cores()
        self._opening = threading.Lock()
        self._model: LocalModel | None = None
        self._engines: dict[str, Engine] = {}
        self._failed: dict[str, EmbedderUnavailable] = {}

    @property
    def identity(self) -> EmbedderIdentity:
        """Return what its vectors may be compared with; every engine of the model has the same."""
        return LOCAL_IDENTITY

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Return one unit vector a text, in order.

        Raises EmbedderUnavailable when neither engine can run here.
        """
        read = [readable(text) for text in texts]
        if not read:
            return []
        engine = self._engine_for(read)
        as_query = is_query(purpose)
        if self._threads == 1 or len(read) == 1:
            return [engine.embed(text, as_query) for text in read]
        return self._embed_in_threads(engine, read, as_query)

    def close(self) -> None:
        """Give the model's memory back."""
        for engine in self._engines.values():
            engine.close()

    def _embed_in_threads(self, engine: Engine, texts: list[str], as_query: bool) -> list[Vector]:
        # 8 ms of imports that a query has no use for.
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        # The longest first, so that no thread starts a long text when the others are done.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        vectors: list[Vector | None] = [None] * len(texts)
        pool = ThreadPoolExecutor(min(self._threads, len(texts)))
        try:
            made = pool.map(lambda place: engine.embed(texts[place], as_query), order)
            for place, vector in zip(order, made, strict=True):
                vectors[place] = vector
        finally:
            # An interrupt ends after the texts under way, not after all that were queued.
            pool.shutdown(cancel_futures=True)
        return [vector for vector in vectors if vector is not None]

    def _engine_for(self, texts: list[str]) -> Engine:
        few = sum(len(text.encode()) for text in texts) <= FEW_BYTES
        wanted, other = (_load_quick, _load_bulk) if few else (_load_bulk, _load_quick)
        with self._opening:
            try:
                return self._open(wanted)
            except EmbedderUnavailable as first:
                try:
                    return self._open(other)
                except EmbedderUnavailable:
                    # Both failed: the engine that this call wanted has the reason to show.
                    raise first from None

    def _open(self, load: Callable[[LocalModel], Engine]) -> Engine:
        name = load.__name__
        if name in self._failed:
            # What failed once on this machine fails again; looking again would cost every call.
            raise self._failed[name].with_traceback(None)
        if name not in self._engines:
            try:
                if self._model is None:
                    # Whoever asks for the identity only, as each keyword search, goes without.
                    from vademecum.backends.embedders.weights import (  # noqa: PLC0415
                        find_local_model,
                    )

                    self._model = find_local_model(self._cache_directory)
                self._engines[name] = load(self._model)
            except EmbedderUnavailable as error:
                self._failed[name] = error
                raise
        return self._engines[name]


def available_cores() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load_quick(model: LocalModel) -> Engine:
    if model.library is None:
        raise EmbedderUnavailable(
            "The bundled model has no compiled engine for this platform.",
            hint="Choose another provider with embedder.provider; keyword search works meanwhile.",
        )
    # ctypes, which a search by keywords has no use for.
    from vademecum.backends.embedders.c_engine import CEngine  # noqa: PLC0415

    return CEngine(model.library, model.weights)


def _load_bulk(model: LocalModel) -> Engine:
    try:
        # numpy and onnxruntime take 150 ms to import, and a query needs neither.
        from vademecum.backends.embedders.onnx_engine import OnnxEngine  # noqa: PLC0415
    except ImportError as error:
        raise EmbedderUnavailable(
            f"The bulk engine of the bundled model cannot be loaded: {error}.",
            hint="Install onnxruntime to index faster; keyword search works meanwhile.",
        ) from error
    return OnnxEngine(model.weights)
