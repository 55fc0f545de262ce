"""Remote providers over real sockets: each wire as it is spoken, and what happens when it fails."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from vademecum.backends.embedders.exchange import Exchange, Patience
from vademecum.backends.embedders.opening import EmbedderSettings, open_embedder
from vademecum.backends.embedders.remote import LARGEST_BATCH_BYTES
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import Embedder, Purpose

KEY = "sk-very-secret"


class Stopwatch:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


def direction(text: str) -> list[float]:
    """A vector that tells which text it was made from."""
    return [float(len(text)), float(sum(map(ord, text)) % 1000), 1.0]


def as_openai(request: Any, reply: Any) -> Any:
    data = [
        {"object": "embedding", "index": place, "embedding": direction(text)}
        for place, text in enumerate(request.body["input"])
    ]
    return reply(body={"object": "list", "data": data[::-1]})


def as_ollama(request: Any, reply: Any) -> Any:
    return reply(body={"embeddings": [direction(text) for text in request.body["input"]]})


def as_gemini(request: Any, reply: Any) -> Any:
    texts = [one["content"]["parts"][0]["text"] for one in request.body["requests"]]
    return reply(body={"embeddings": [{"values": direction(text)} for text in texts]})


SPOKEN: dict[str, Callable[[Any, Any], Any]] = {
    "openai": as_openai,
    "openai-compatible": as_openai,
    "voyage": as_openai,
    "ollama": as_ollama,
    "gemini": as_gemini,
}
PROVIDERS = tuple(SPOKEN)


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def opened(loopback: Any, reply: Any, stopwatch: Stopwatch) -> Any:
    embedders: list[Embedder] = []

    def open_one(provider: str, **changes: Any) -> Embedder:
        loopback.answer = lambda request: SPOKEN[provider](request, reply)
        given = {
            "model": "own-model",
            "dimensions": 3,
            "endpoint": loopback.address,
            "api_key": KEY,
        }
        settings = EmbedderSettings(provider=provider, **{**given, **changes})
        embedder = open_embedder(settings, wait=stopwatch.wait, monotonic=stopwatch.monotonic)
        assert embedder is not None
        embedders.append(embedder)
        return embedder

    yield open_one
    for embedder in embedders:
        embedder.close()


def nearest(vectors: list[Any], texts: list[str]) -> list[str]:
    """The text that each vector points to."""

    def likeness(vector: Any, text: str) -> float:
        wanted = direction(text)
        length = sum(x * x for x in wanted) ** 0.5
        return float(sum(a * b / length for a, b in zip(vector, wanted, strict=True)))

    return [max(texts, key=lambda text: likeness(vector, text)) for vector in vectors]


@pytest.mark.req("R-07")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_vectors_are_of_unit_length_and_in_the_order_of_the_texts(
    opened: Any, provider: str
) -> None:
    texts = ["a", "bb bb", "ccc cc c", "dddd"]
    vectors = opened(provider).embed(texts, Purpose.PASSAGE)
    assert nearest(vectors, texts) == texts
    assert all(sum(x * x for x in vector) == pytest.approx(1, abs=1e-5) for vector in vectors)
    assert opened(provider).embed([], Purpose.PASSAGE) == []


@pytest.mark.req("R-07")
def test_openai_is_asked_as_documented(opened: Any, loopback: Any) -> None:
    opened("openai", model="text-embedding-3-small").embed(["hello"], Purpose.QUERY)
    (request,) = loopback.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "text-embedding-3-small", "input": ["hello"], "dimensions": 3}


@pytest.mark.req("R-07")
def test_a_compatible_server_gets_no_dimensions_it_might_refuse_and_needs_no_key(
    opened: Any, loopback: Any
) -> None:
    embedder = opened("openai-compatible", api_key="", endpoint=f"{loopback.address}/api/v3?v=2")
    embedder.embed(["hello"], Purpose.QUERY)
    (request,) = loopback.requests
    assert request.path == "/api/v3/embeddings?v=2"
    assert "Authorization" not in request.headers
    assert request.body == {"model": "own-model", "input": ["hello"]}


@pytest.mark.req("R-07")
def test_ollama_is_asked_as_documented_with_the_prefixes_of_the_model(
    opened: Any, loopback: Any
) -> None:
    embedder = opened("ollama", model="nomic-embed-text:latest", api_key="")
    embedder.embed(["hello"], Purpose.QUERY)
    embedder.embed(["hello"], Purpose.PASSAGE)
    asked, kept = loopback.requests
    assert asked.path == "/api/embed"
    assert asked.body == {
        "model": "nomic-embed-text:latest",
        "truncate": True,
        "dimensions": 3,
        "input": ["search_query: hello"],
    }
    assert kept.body["input"] == ["search_document: hello"]
    assert embedder.identity.query_prefix == "search_query: "


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    ("purpose", "task"),
    [
        (Purpose.QUERY, "RETRIEVAL_QUERY"),
        (Purpose.PASSAGE, "RETRIEVAL_DOCUMENT"),
        (Purpose.LIKENESS, "SEMANTIC_SIMILARITY"),
    ],
)
def test_gemini_gets_the_purpose_as_task_type(
    opened: Any, loopback: Any, purpose: Purpose, task: str
) -> None:
    opened("gemini", model="gemini-embedding-001").embed(["hello"], purpose)
    (request,) = loopback.requests
    assert request.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert request.headers["x-goog-api-key"] == KEY
    assert request.body["requests"] == [
        {
            "model": "models/gemini-embedding-001",
            "content": {"parts": [{"text": "hello"}]},
            "taskType": task,
            "outputDimensionality": 3,
        }
    ]


@pytest.mark.req("R-07")
def test_a_gemini_model_without_task_types_gets_the_purpose_as_prefix(
    opened: Any, loopback: Any
) -> None:
    opened("gemini", model="gemini-embedding-2").embed(["hello"], Purpose.PASSAGE)
    (one,) = loopback.requests[0].body["requests"]
    assert one["content"]["parts"][0]["text"] == "title: none | text: hello"
    assert "taskType" not in one


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    ("purpose", "kind"),
    [(Purpose.QUERY, "query"), (Purpose.PASSAGE, "document"), (Purpose.LIKENESS, None)],
)
def test_voyage_gets_the_purpose_as_input_type(
    opened: Any, loopback: Any, purpose: Purpose, kind: str | None
) -> None:
    opened("voyage", model="voyage-4", dimensions=3).embed(["hello"], purpose)
    (request,) = loopback.requests
    assert request.path == "/v1/embeddings"
    assert request.body.get("input_type") == kind
    assert request.body["output_dimension"] == 3


@pytest.mark.req("R-07")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_many_texts_go_in_batches_over_one_kept_connection(
    opened: Any, loopback: Any, provider: str
) -> None:
    texts = [f"{'x' * (number % 7)} {number}" for number in range(200)]
    vectors = opened(provider).embed(texts, Purpose.PASSAGE)
    assert len(vectors) == 200
    assert len(loopback.requests) > 1
    assert loopback.connections == 1


@pytest.mark.req("R-07")
def test_a_batch_is_bounded_by_bytes_too(opened: Any, loopback: Any) -> None:
    opened("openai").embed(["数据" * 4_000] * 12, Purpose.PASSAGE)
    sizes = [sum(len(text.encode()) for text in r.body["input"]) for r in loopback.requests]
    assert max(sizes) <= LARGEST_BATCH_BYTES
    assert sum(len(r.body["input"]) for r in loopback.requests) == 12


@pytest.mark.req("R-07")
def test_what_no_server_accepts_never_leaves(opened: Any, loopback: Any) -> None:
    opened("openai").embed(["", "a\0b", "\ud800"], Purpose.PASSAGE)
    assert loopback.requests[0].body["input"] == [" ", "a b", "?"]


@pytest.mark.req("R-07")
def test_a_busy_server_is_asked_again_when_it_said(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(429, {}, {"Retry-After": "7"}), reply(503, b"busy"), reply(500, {})]
    assert len(embedder.embed(["hello"], Purpose.PASSAGE)) == 1
    assert stopwatch.waits == [7.0, 1.0, 2.0]


@pytest.mark.req("R-07")
def test_a_query_does_not_wait_for_a_busy_server(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"})]
    with pytest.raises(EmbedderUnavailable, match="slow down") as caught:
        embedder.embed(["hello"], Purpose.QUERY)
    assert caught.value.transient
    assert stopwatch.waits == []


@pytest.mark.req("R-07")
def test_a_silent_server_is_left_alone_for_half_a_minute(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(500, {}), reply(500, {})]
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable) as caught:
            embedder.embed(["hello"], Purpose.QUERY)
        assert caught.value.transient
    assert len(loopback.requests) == 2
    stopwatch.now += 31
    assert len(embedder.embed(["hello"], Purpose.QUERY)) == 1


@pytest.mark.req("R-07")
@pytest.mark.parametrize("status", [401, 403, 404, 301])
def test_a_refusal_is_final_for_this_process_and_keeps_the_key_to_itself(
    opened: Any, loopback: Any, reply: Any, status: int
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(status, {"error": {"message": f"bad key {KEY}\x1b[31m"}})]
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable) as caught:
            embedder.embed(["hello"], Purpose.QUERY)
        assert not caught.value.transient
        assert KEY not in str(caught.value)
        assert "\x1b" not in str(caught.value)
        assert caught.value.hint
    assert len(loopback.requests) == 1


@pytest.mark.req("R-07")
def test_spent_money_is_not_waited_for(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(429, {"error": {"code": "insufficient_quota", "message": "pay"}})]
    with pytest.raises(EmbedderUnavailable, match="pay") as caught:
        embedder.embed(["hello"], Purpose.PASSAGE)
    assert not caught.value.transient
    assert stopwatch.waits == []


@pytest.mark.req("R-07")
def test_one_refused_text_does_not_refuse_the_next(opened: Any, loopback: Any, reply: Any) -> None:
    embedder = opened("openai")
    loopback.script = [reply(400, {"error": {"message": "too long"}})]
    with pytest.raises(EmbedderUnavailable, match="too long"):
        embedder.embed(["hello"], Purpose.PASSAGE)
    assert len(embedder.embed(["hello"], Purpose.PASSAGE)) == 1


@pytest.mark.req("R-07")
def test_a_request_that_is_too_large_is_halved(opened: Any, loopback: Any, reply: Any) -> None:
    embedder = opened("openai")
    loopback.script = [reply(413, {})]
    texts = ["a", "bb bb", "ccc cc c"]
    assert nearest(embedder.embed(texts, Purpose.PASSAGE), texts) == texts
    assert [len(request.body["input"]) for request in loopback.requests] == [3, 1, 2]


@pytest.mark.req("R-07", "I-03")
def test_wrong_dimensions_are_refused_and_named(opened: Any, loopback: Any) -> None:
    embedder = opened("ollama", dimensions=4)
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable, match="of 3 dimensions where 4") as caught:
            embedder.embed(["hello"], Purpose.PASSAGE)
        assert not caught.value.transient
    assert len(loopback.requests) == 1


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 1, "embedding": [1, 2, 3]}]},
        {"data": [{"index": 0, "embedding": [1, None, 3]}]},
        {"data": []},
        {"data": [{"index": 0, "embedding": [1, 2, 3]}, {"index": 1, "embedding": [1, 2, 3]}]},
    ],
    ids=str,
)
def test_an_answer_in_another_format_is_a_refusal(
    opened: Any, loopback: Any, reply: Any, body: Any
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(body=body)]
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.embed(["hello"], Purpose.PASSAGE)
    assert not caught.value.transient


@pytest.mark.req("R-07")
def test_an_answer_that_is_not_json_may_be_better_later(
    opened: Any, loopback: Any, reply: Any
) -> None:
    embedder = opened("openai")
    loopback.script = [reply(body=b"<html>Sign in to the hotel network</html>")]
    with pytest.raises(EmbedderUnavailable, match="not JSON") as caught:
        embedder.embed(["hello"], Purpose.PASSAGE)
    assert caught.value.transient


@pytest.mark.req("R-07")
@pytest.mark.parametrize("values", [b"[0, 0, 0]", b"[NaN, 1, 1]", b"[1e39, 0, 0]"])
def test_a_vector_without_direction_is_no_vector(
    opened: Any, loopback: Any, reply: Any, values: bytes
) -> None:
    embedder = opened("ollama")
    loopback.script = [reply(body=b'{"embeddings": [' + values + b"]}")]
    with pytest.raises(EmbedderUnavailable, match="zero or not finite"):
        embedder.embed(["hello"], Purpose.PASSAGE)


@pytest.mark.req("R-07")
def test_a_kept_connection_that_the_server_closed_is_no_failure(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    embedder = opened("openai")
    embedder.embed(["hello"], Purpose.QUERY)
    loopback.script = [reply(hang_up=True)]
    assert len(embedder.embed(["hello"], Purpose.QUERY)) == 1
    assert loopback.connections == 2
    assert stopwatch.waits == []


@pytest.mark.req("R-07")
def test_a_server_that_hangs_up_or_is_not_there_is_said_at_once(
    opened: Any, loopback: Any, reply: Any, stopwatch: Stopwatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
        embedder = opened("ollama", endpoint=nobody)
        with pytest.raises(EmbedderUnavailable, match="cannot be reached") as caught:
            embedder.embed(["hello"], Purpose.PASSAGE)
        assert caught.value.transient
    hanging = opened("ollama")
    loopback.script = [reply(hang_up=True)]
    with pytest.raises(EmbedderUnavailable, match="cannot be reached"):
        hanging.embed(["hello"], Purpose.PASSAGE)
    assert stopwatch.waits == []


@pytest.mark.req("R-07")
def test_a_server_that_is_slow_is_given_up(loopback: Any, reply: Any) -> None:
    loopback.script = [reply(hang=True), reply(hang=True)]
    exchange = Exchange(loopback.address, {})
    with pytest.raises(EmbedderUnavailable, match=r"within 0\.1 seconds") as caught:
        exchange.post("/api/embed", {}, Patience(seconds=0.1, attempts=2, longest_wait=0))
    assert caught.value.transient
    assert len(loopback.requests) == 2


@pytest.mark.req("R-07")
def test_a_missing_key_is_said_before_anyone_is_asked(opened: Any, loopback: Any) -> None:
    embedder = opened("voyage", api_key="  ")
    with pytest.raises(EmbedderUnavailable, match="needs an API key") as caught:
        embedder.embed(["hello"], Purpose.QUERY)
    assert not caught.value.transient
    assert loopback.requests == []
