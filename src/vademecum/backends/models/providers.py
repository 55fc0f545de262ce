"""Models of any provider: conversations by way of pydantic-ai, which the extra `models` brings."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from vademecum.core.changes import Usage
from vademecum.core.errors import BadInput, ModelUnavailable
from vademecum.core.models import (
    Answered,
    Asked,
    InWindow,
    Returned,
    Tool,
    ToolCall,
    text_of,
)
from vademecum.markdown.sizes import estimate_tokens

# The library takes a second to load: only a conversation pays for it.
# ruff: noqa: PLC0415

ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "ollama": "http://127.0.0.1:11434/v1",
}
"""Each provider and where it answers. It is always told: the library would ask the environment."""
_KEYLESS = ("ollama",)
_NO_KEY = "none"
_LONGEST_REASON = 300
_GLANCE = 0.1
"""Seconds after which whoever waits asks whether to give up."""


class ProviderModel:
    """One model of one provider, or of whoever speaks like that one at an endpoint."""

    def __init__(
        self,
        named: str,
        endpoint: str,
        api_key: str,
        timeout: float,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take `named` as PROVIDER:NAME; nothing is sent.

        `given_up` tells that nobody waits for an answer any longer.
        Raises BadInput, and ModelUnavailable without a key or without the library.
        """
        self._provider, _, self._name = named.partition(":")
        if self._provider not in ADDRESSES or not self._name:
            raise BadInput(
                f"{named!r} names no model.",
                hint=f"Give PROVIDER:NAME; providers are {', '.join(ADDRESSES)}.",
            )
        if not (api_key or endpoint or self._provider in _KEYLESS):
            raise ModelUnavailable(
                f"There is no key for {self._provider}.",
                hint=f"Set {self._provider.upper()}_API_KEY or VADE_MODEL_API_KEY.",
            )
        self._timeout = timeout
        self._given_up = given_up
        self._model = _opened(
            self._provider, self._name, endpoint or ADDRESSES[self._provider], api_key or _NO_KEY
        )
        import asyncio

        self._runner = asyncio.Runner()

    def next(
        self, instructions: str, window: Sequence[InWindow], tools: Sequence[Tool]
    ) -> Answered:
        """Return what the model says next. Raises ModelUnavailable."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, UserError
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        offered = [
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=dict(tool.schema),
            )
            for tool in tools
        ]
        asking = model_request(
            self._model,
            _messages(instructions, window),
            model_settings={"timeout": self._timeout},
            model_request_parameters=ModelRequestParameters(function_tools=offered),
        )
        try:
            response = self._runner.run(self._awaited(asking))
        except (AgentRunError, UserError) as error:
            raise ModelUnavailable(
                f"{self._provider}:{self._name} did not answer: {_short(error)}",
                hint="Check model.chat, model.endpoint and the key, or say it again.",
                transient=True,
                usage=self._lost(error, instructions, window),
            ) from error
        if response is None:
            raise ModelUnavailable(
                f"{self._provider}:{self._name} was not waited for: all work is to stop.",
                hint="Ask again.",
                transient=True,
                usage=self._lost(None, instructions, window),
            )
        return _answered(response, self._usage(response))

    async def _awaited(self, asking: Coroutine[Any, Any, Any]) -> Any:
        """Return what comes back, None where it is given up before."""
        import asyncio

        asked = asyncio.ensure_future(asking)
        try:
            while not asked.done():
                if self._given_up():
                    return None
                await asyncio.wait({asked}, timeout=_GLANCE)
            return asked.result()
        finally:
            if asked.cancel():
                await asyncio.wait({asked})

    def _usage(self, response: Any) -> Usage:
        named = f"{self._provider}:{self._name}"
        sent, received = response.usage.input_tokens or 0, response.usage.output_tokens or 0
        cost = 0.0 if self._provider in _KEYLESS else _price(response)
        return Usage(named, sent, received, cost if sent or received else None)

    def _lost(
        self, error: Exception | None, instructions: str, window: Sequence[InWindow]
    ) -> Usage | None:
        """Return what a request took that got no answer: all that was sent may be charged.

        What the provider turned down costs nothing, and of what was never sent there is none.
        """
        from pydantic_ai.exceptions import ModelHTTPError, UserError
        from pydantic_ai.messages import ModelResponse
        from pydantic_ai.usage import RequestUsage

        if isinstance(error, UserError):
            return None
        named = f"{self._provider}:{self._name}"
        if isinstance(error, ModelHTTPError):
            return Usage(named, cost=0.0)
        # The client asks again by itself, and keeps to itself how often.
        tries = 1 + getattr(getattr(self._model, "client", None), "max_retries", 0)
        sent = tries * estimate_tokens(text_of(instructions, window))
        as_if = ModelResponse(
            parts=[],
            usage=RequestUsage(input_tokens=sent),
            model_name=self._name,
            provider_name=self._provider,
        )
        cost = 0.0 if self._provider in _KEYLESS else _price(as_if)
        return Usage(named, sent, 0, cost, estimated=True)

    def close(self) -> None:
        """Release connections; the model is not used again."""
        self._runner.close()


def _opened(provider: str, name: str, address: str, key: str) -> Any:
    """Return the library's model. Raises ModelUnavailable where it is not installed."""
    try:
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class

        # One class takes all of them, whatever the signature of its base says.
        making: Any = infer_provider_class(provider)
        made = making(base_url=address, api_key=key)
        # Whoever speaks like OpenAI at another address does so in its older interface.
        older = provider == "openai" and address != ADDRESSES[provider]
        kind = "openai-chat" if older else provider
        return infer_model(f"{kind}:{name}", provider_factory=lambda _: made)
    except ImportError as error:
        raise ModelUnavailable(
            f"A conversation with {provider} needs packages that are not installed.",
            hint="Install the extra: pip install 'vademecum[models]'.",
        ) from error


def _messages(instructions: str, window: Sequence[InWindow]) -> list[Any]:
    """Return a window as the library has it; neighbours on the user's side are one request."""
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

    found: list[Any] = []
    asked: list[Any] = []
    for one in window:
        if isinstance(one, Answered):
            if asked:
                found.append(ModelRequest(parts=asked, instructions=instructions))
                asked = []
            said = [TextPart(one.text)] if one.text else []
            calls = [ToolCallPart(call.name, dict(call.arguments), call.id) for call in one.calls]
            found.append(ModelResponse(parts=[*said, *calls]))
        elif isinstance(one, Returned):
            asked.append(ToolReturnPart(one.name, one.text, one.id))
        elif isinstance(one, Asked):
            asked.append(UserPromptPart(one.text))
    found.append(ModelRequest(parts=asked, instructions=instructions))
    return found


def _price(response: Any) -> float | None:
    """Return the US dollars of an answer by the library's table; None where it has no price."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError, ImportError):
        return None


def _answered(response: Any, usage: Usage) -> Answered:
    from pydantic_ai.messages import TextPart, ToolCallPart

    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    calls = [_call(part) for part in response.parts if isinstance(part, ToolCallPart)]
    return Answered("\n".join(texts).strip(), tuple(calls), usage.sent + usage.received, usage)


def _call(part: Any) -> ToolCall:
    try:
        arguments = part.args_as_dict()
    except (ValueError, AssertionError):
        return ToolCall(part.tool_call_id, part.tool_name, {}, broken=True)
    return ToolCall(part.tool_call_id, part.tool_name, arguments)


def _short(error: Exception) -> str:
    told = " ".join(str(error).split())
    return told if len(told) <= _LONGEST_REASON else told[:_LONGEST_REASON] + "…"
