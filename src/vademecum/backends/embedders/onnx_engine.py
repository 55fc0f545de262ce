"""The bulk engine of the bundled model: onnxruntime over a graph made from the same weights."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as states

from vademecum.backends.embedders.e5_file import E5File, Floats
from vademecum.backends.embedders.e5_text import PASSAGE_PREFIX, QUERY_PREFIX
from vademecum.backends.embedders.onnx_graph import INPUT, encoder
from vademecum.backends.embedders.unigram import Unigram
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import Vector

_ERRORS_ONLY = 3
# What a build of onnxruntime without one of the operators raises; they share no parent.
_REFUSALS = (
    states.Fail,
    states.InvalidArgument,
    states.InvalidGraph,
    states.NotImplemented,
    states.RuntimeException,
    RuntimeError,
)


class OnnxEngine:
    """One loaded model; `embed` may run in several threads at once, one text in each.

    Texts are never batched: a text's vector then depends on nothing but the text, nothing is
    padded, and one text of 400 tokens already fills a core. Several texts run in several threads.
    """

    def __init__(self, weights: Path) -> None:
        """Build the graph and load it, in about half a second."""
        self._file = E5File(weights)
        sizes = self._file.sizes
        self._unigram = Unigram(self._file.vocabulary)
        kinds = self._file.floats("emb.type").reshape(-1, sizes.hidden)
        self._places = self._file.floats("emb.pos").reshape(-1, sizes.hidden) + kinds[0]
        self._session: onnxruntime.InferenceSession | None = _session(encoder(self._file))

    def embed(self, text: str, as_query: bool) -> Vector:
        """Return the vector of a text that `readable` has been through.

        A text of several windows gets the mean of their vectors, weighted by their tokens, as in
        the compiled engine; the prefix stands in the first window only.
        """
        prefix = QUERY_PREFIX if as_query else PASSAGE_PREFIX
        total = np.zeros(self._file.sizes.hidden, np.float32)
        for window in self._unigram.windows(prefix + text, self._file.sizes.positions):
            total += max(len(window) - 2, 1) * self._mean(window)
        total /= np.linalg.norm(total)
        return array("f", total.tobytes())

    def close(self) -> None:
        """Give the model's memory back."""
        self._session = None

    def _mean(self, ids: list[int]) -> Floats:
        if self._session is None:
            raise EmbedderUnavailable("The embedder was closed.")
        words = self._file.rows("emb.word", self._file.sizes.words, ids)
        embedded = (words + self._places[: len(ids)])[None]
        mean: Floats = self._session.run(None, {INPUT: embedded})[0][0]
        return mean


def _session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The arena keeps the largest text's memory for ever; going without costs no time here.
    options.enable_cpu_mem_arena = False
    # The graph is written in its fused form; further fusion makes it slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = _ERRORS_ONLY
    onnxruntime.disable_telemetry_events()
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _REFUSALS as error:
        raise EmbedderUnavailable(
            f"This build of onnxruntime cannot run the bundled model: {error}.",
            hint="Install onnxruntime 1.22 or newer; keyword search works meanwhile.",
        ) from error
