"""How each remote provider is asked for vectors and answers: paths, bodies, headers, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote

from vademecum.core.ports import Purpose

JsonBody = dict[str, Any]


class Wire(Protocol):
    """One provider's format. Texts arrive with their prefix, answers leave in the texts' order."""

    @property
    def largest_batch(self) -> int:
        """Return how many texts one request may carry."""

    def path(self) -> str:
        """Return the path below the endpoint."""

    def headers(self, api_key: str) -> Mapping[str, str]:
        """Return what proves the key; empty for no key."""

    def body(self, texts: Sequence[str], purpose: Purpose) -> JsonBody:
        """Return the request."""

    def vectors(self, answer: Any) -> list[list[float]]:
        """Return the vectors. Raises KeyError, TypeError or ValueError on another format."""


class OllamaWire:
    """``POST /api/embed``: a list of texts in, a list of vectors in the same order out."""

    largest_batch = 32

    def __init__(self, model: str, dimensions: int | None) -> None:
        self._fields: JsonBody = {"model": model, "truncate": True}
        if dimensions is not None:
            self._fields["dimensions"] = dimensions

    def path(self) -> str:
        """Return the path below the endpoint."""
        return "/api/embed"

    def headers(self, api_key: str) -> Mapping[str, str]:
        """Return a bearer token, for servers behind a proxy that wants one."""
        return _bearer(api_key)

    def body(self, texts: Sequence[str], purpose: Purpose) -> JsonBody:  # noqa: ARG002  the wire
        """Return the request."""
        return {**self._fields, "input": list(texts)}

    def vectors(self, answer: Any) -> list[list[float]]:
        """Return the vectors as they came."""
        return list(answer["embeddings"])


class OpenAIWire:
    """``POST /embeddings`` as OpenAI and everyone compatible speaks it; order by ``index``."""

    largest_batch = 96

    def __init__(self, model: str, dimensions: int | None) -> None:
        self._fields: JsonBody = {"model": model}
        if dimensions is not None:
            self._fields["dimensions"] = dimensions

    def path(self) -> str:
        """Return the path below the endpoint."""
        return "/embeddings"

    def headers(self, api_key: str) -> Mapping[str, str]:
        """Return a bearer token."""
        return _bearer(api_key)

    def body(self, texts: Sequence[str], purpose: Purpose) -> JsonBody:  # noqa: ARG002  the wire
        """Return the request."""
        return {**self._fields, "input": list(texts)}

    def vectors(self, answer: Any) -> list[list[float]]:
        """Return the vectors by index."""
        return _by_index(answer["data"])


class VoyageWire:
    """``POST /embeddings`` with the purpose as ``input_type``; order by ``index``."""

    # 96 texts of 1,000 bytes stay below the 120,000 tokens of the strictest model.
    largest_batch = 96

    def __init__(self, model: str, dimensions: int | None) -> None:
        self._fields: JsonBody = {"model": model, "truncation": True}
        if dimensions is not None:
            self._fields["output_dimension"] = dimensions

    def path(self) -> str:
        """Return the path below the endpoint."""
        return "/embeddings"

    def headers(self, api_key: str) -> Mapping[str, str]:
        """Return a bearer token."""
        return _bearer(api_key)

    def body(self, texts: Sequence[str], purpose: Purpose) -> JsonBody:
        """Return the request; likeness goes without a type, which the other two are near to."""
        body = {**self._fields, "input": list(texts)}
        if purpose is not Purpose.LIKENESS:
            body["input_type"] = "query" if purpose is Purpose.QUERY else "document"
        return body

    def vectors(self, answer: Any) -> list[list[float]]:
        """Return the vectors by index."""
        return _by_index(answer["data"])


class GeminiWire:
    """``POST /models/NAME:batchEmbedContents``: a request for each text, answers in order."""

    largest_batch = 96
    _TASKS = {
        Purpose.QUERY: "RETRIEVAL_QUERY",
        Purpose.PASSAGE: "RETRIEVAL_DOCUMENT",
        Purpose.LIKENESS: "SEMANTIC_SIMILARITY",
    }

    def __init__(self, model: str, dimensions: int | None, *, tasks: bool) -> None:
        """Send task types when `tasks`; models that take them as a prefix ignore the field."""
        self._model = model if model.startswith("models/") else f"models/{model}"
        self._tasks = tasks
        self._fields: JsonBody = {"model": self._model}
        if dimensions is not None:
            self._fields["outputDimensionality"] = dimensions

    def path(self) -> str:
        """Return the path below the endpoint."""
        return f"/{quote(self._model)}:batchEmbedContents"

    def headers(self, api_key: str) -> Mapping[str, str]:
        """Return the key as a header; in the address it would end up in logs."""
        return {"x-goog-api-key": api_key} if api_key else {}

    def body(self, texts: Sequence[str], purpose: Purpose) -> JsonBody:
        """Return one request for each text."""
        fields = {**self._fields, "taskType": self._TASKS[purpose]} if self._tasks else self._fields
        return {"requests": [{**fields, "content": {"parts": [{"text": text}]}} for text in texts]}

    def vectors(self, answer: Any) -> list[list[float]]:
        """Return the vectors as they came."""
        return [embedding["values"] for embedding in answer["embeddings"]]


def _bearer(api_key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def _by_index(items: Any) -> list[list[float]]:
    placed = {item.get("index", place): item["embedding"] for place, item in enumerate(items)}
    # A doubled or missing index would put a vector beside a text it was not made from.
    return [placed[place] for place in range(len(items))]
