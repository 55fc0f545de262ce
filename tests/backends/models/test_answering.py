"""Answers in a given form by the model of a provider, over HTTP, with what they took."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from vademecum.backends.models.answering import AnsweringModel
from vademecum.backends.models.providers import ProviderModel
from vademecum.core.errors import ModelUnavailable
from vademecum.core.models import Asked

WANTED = {"goal": "what is wanted", "files": "paths"}


class Provider:
    """One that speaks like OpenAI and answers with the arguments it is given, once each."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = list(arguments)
        self.bodies: list[dict[str, Any]] = []

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        call = {"name": "give_answer", "arguments": self.arguments.pop(0)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": call}],
        }
        return {
            "id": "r1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234},
        }


@contextmanager
def serving(provider: Provider) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if not self.path.startswith("/v1/"):
                self.send_error(404)
                return
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = json.dumps(provider.reply(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(OSError):  # who asked may be gone
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def models() -> Iterator[list[ProviderModel]]:
    opened: list[ProviderModel] = []
    yield opened
    for one in opened:
        one.close()


def model_at(address: str, named: str, opened: list[ProviderModel]) -> AnsweringModel:
    def opening() -> ProviderModel:
        opened.append(ProviderModel(named, address, "key", 20.0))
        return opened[-1]

    return AnsweringModel(opening)


@pytest.mark.req("R-07")
@pytest.mark.parametrize(
    ("named", "cost"),
    [("openai:gpt-4o-mini", pytest.approx(0.0002004)), ("openai:of-my-own", None),
     ("ollama:qwen3", 0.0)],
)  # fmt: skip
def test_an_answer_says_its_tokens_and_its_price_where_one_is_known(
    named: str, cost: object, models: list[ProviderModel]
) -> None:
    provider = Provider('{"goal": ["ship  it"], "files": []}')
    with serving(provider) as address:
        reply = model_at(address, named, models).ask("What is wanted?", WANTED)
    assert reply.texts == {"goal": ("ship it",), "files": ()}
    assert (reply.usage.model, reply.usage.sent, reply.usage.received) == (named, 1200, 34)
    assert reply.usage.cost == cost
    assert not reply.usage.estimated
    assert provider.bodies[0]["tools"][0]["function"]["name"] == "give_answer"


@pytest.mark.req("R-07")
@pytest.mark.parametrize("said", ['{"goal": []}', '{"goal": 3, "files": []}', "{", "[]"])
def test_an_answer_of_another_form_is_none_and_was_paid_for(
    said: str, models: list[ProviderModel]
) -> None:
    with serving(Provider(said)) as address:
        reply = model_at(address, "openai:of-my-own", models).ask("What is wanted?", WANTED)
    assert reply.texts is None
    assert "goal, files" in reply.amiss
    assert reply.usage.sent == 1200


@pytest.mark.req("R-07")
def test_a_provider_that_is_not_there_and_an_event_loop_are_no_answer(
    models: list[ProviderModel],
) -> None:
    model = model_at("http://127.0.0.1:9/v1", "openai:of-my-own", models)
    with pytest.raises(ModelUnavailable):
        model.ask("What is wanted?", WANTED)

    async def within() -> None:
        model.ask("What is wanted?", WANTED)

    with pytest.raises(ModelUnavailable, match="event loop"):
        asyncio.run(within())


@pytest.mark.req("L-02")
def test_all_that_was_sent_to_a_provider_that_hangs_is_told_with_its_price(
    models: list[ProviderModel],
) -> None:
    released = threading.Event()

    class Hanging(Provider):
        def reply(self, body: dict[str, Any]) -> dict[str, Any]:
            self.bodies.append(body)
            released.wait(20)
            return {}

    provider = Hanging()
    with serving(provider) as address:
        models.append(ProviderModel("openai:gpt-4o-mini", address, "key", 0.1))
        with pytest.raises(ModelUnavailable) as caught:
            AnsweringModel(lambda: models[0]).ask("word " * 1000, WANTED)
        released.set()
    usage = caught.value.usage
    assert usage is not None and (usage.model, usage.received) == ("openai:gpt-4o-mini", 0)
    assert usage.estimated and usage.sent >= 1000 * len(provider.bodies) > 0
    assert usage.cost == pytest.approx(usage.sent * 0.15 / 1_000_000)


@pytest.mark.req("L-06")
def test_a_provider_that_is_given_up_is_not_waited_for(models: list[ProviderModel]) -> None:
    arrived, released = threading.Event(), threading.Event()

    class Hanging(Provider):
        def reply(self, body: dict[str, Any]) -> dict[str, Any]:
            self.bodies.append(body)
            arrived.set()
            released.wait(20)
            return {}

    with serving(Hanging()) as address:
        models.append(ProviderModel("ollama:qwen3", address, "", 60.0, arrived.is_set))
        with pytest.raises(ModelUnavailable, match="not waited for") as caught:
            models[0].next("", [Asked("What is wanted?")], [])
        released.set()
    assert caught.value.usage is not None and caught.value.usage.sent > 0


@pytest.mark.req("L-02")
def test_a_request_that_a_provider_turns_down_is_told_and_costs_nothing(
    models: list[ProviderModel],
) -> None:
    with serving(Provider()) as address:
        model = model_at(address.replace("/v1", "/nowhere"), "openai:gpt-4o-mini", models)
        with pytest.raises(ModelUnavailable) as caught:
            model.ask("What is wanted?", WANTED)
    usage = caught.value.usage
    assert usage is not None
    assert (usage.model, usage.sent, usage.cost) == ("openai:gpt-4o-mini", 0, 0.0)
