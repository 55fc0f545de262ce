"""The compiled engine of the bundled model: ready in 20 ms, for queries and a few texts."""

from __future__ import annotations

import ctypes
from array import array
from pathlib import Path

from vademecum.backends.embedders.e5_text import DIMENSIONS
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import Vector

_REQUIRED_FLAGS = frozenset({"avx2", "fma", "bmi2"})
_HINT = "Choose another provider with embedder.provider; keyword search works meanwhile."


class CEngine:
    """One loaded model; `embed` may run in several threads at once, one text in each."""

    def __init__(self, library: Path, weights: Path) -> None:
        """Load the engine. Raises EmbedderUnavailable when this machine cannot run it."""
        # Loading works on a processor without these instructions; the first text would kill us.
        if missing := missing_instructions(Path("/proc/cpuinfo")):
            raise EmbedderUnavailable(
                f"The compiled engine of the bundled model needs {', '.join(missing)}, "
                "which this processor lacks.",
                hint=_HINT,
            )
        try:
            self._library = ctypes.CDLL(str(library))
            self._declare()
        except (OSError, AttributeError) as error:
            raise EmbedderUnavailable(
                f"The compiled engine of the bundled model cannot be loaded from {library}: "
                f"{error}.",
                hint=_HINT,
            ) from error
        self._model: int | None = self._library.e5_load(str(weights).encode())
        if not self._model or self._library.e5_dim(self._model) != DIMENSIONS:
            raise EmbedderUnavailable(
                f"The compiled engine does not understand the weights at {weights}.", hint=_HINT
            )

    def embed(self, text: str, as_query: bool) -> Vector:
        """Return the vector of a text that `readable` has been through."""
        if self._model is None:
            raise EmbedderUnavailable("The embedder was closed.")
        # OpenMP keeps this number for each thread. More than one spins idle cores and makes a
        # query slower on a busy machine; whoever wants all cores embeds in several threads.
        if self._set_threads is not None:
            self._set_threads(1)
        vector = array("f", bytes(4 * DIMENSIONS))
        out = (ctypes.c_float * DIMENSIONS).from_buffer(vector)
        failed = self._library.e5_embed(self._model, text.encode(), int(as_query), out)
        del out
        if failed:
            raise EmbedderUnavailable("The compiled engine failed on a text.", transient=True)
        return vector

    def close(self) -> None:
        """Give the model's memory back."""
        model, self._model = self._model, None
        if model is not None:
            self._library.e5_free(model)

    def _declare(self) -> None:
        library = self._library
        library.e5_load.restype = ctypes.c_void_p
        library.e5_load.argtypes = [ctypes.c_char_p]
        library.e5_dim.argtypes = [ctypes.c_void_p]
        library.e5_free.argtypes = [ctypes.c_void_p]
        library.e5_free.restype = None
        library.e5_embed.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_float),
        ]
        # Absent where the engine was built without OpenMP.
        self._set_threads = getattr(library, "omp_set_num_threads", None)


def missing_instructions(cpu_information: Path) -> list[str]:
    """Return what an x86-64 processor lacks to run the engine; empty where it cannot be known."""
    try:
        with cpu_information.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("flags"):
                    return sorted(_REQUIRED_FLAGS.difference(line.split()))
    except OSError:
        return []
    return []
