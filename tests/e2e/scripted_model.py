"""A model that follows a script, on a loopback port, in the four wire formats that clients speak.

It reads the last thing that the user said, finds the scene of the script whose cue is in it, makes
that scene's calls one after the other as far as the tools are offered, and then gives the scene's
answer. Every request is kept, so that a test can look at what a client really sent.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from types import TracebackType
from typing import Any

_NUMBERS = count(1)


@dataclass(frozen=True)
class Call:
    """A tool, by the end of the name that the client gives it, and its arguments."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """What the model does when the user says something with `cue` in it."""

    cue: str
    calls: tuple[Call, ...] = ()
    answer: str = "Done."


@dataclass(frozen=True)
class Seen:
    """What one request says, whatever its wire format."""

    said: str
    """The user's last words."""
    called: tuple[str, ...]
    """The tools that were called since."""
    offered: tuple[tuple[str, str], ...]
    """Namespace and name of each tool."""


@dataclass(frozen=True)
class Received:
    """One request to answer a conversation."""

    wire: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All strings in the body, one below the other, without the escapes of JSON."""
        return "\n".join(_strings(self.body))


@dataclass
class ScriptedModel:
    """Serves as a context manager; `address` is known inside of it."""

    scenes: Sequence[Scene]
    tokens: int = 100
    """How long it says each conversation is."""
    received: list[Received] = field(default_factory=list)
    address: str = ""

    def __enter__(self) -> ScriptedModel:
        model = self

        class Handler(_Handler):
            script = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def scene_of(self, seen: Seen) -> Scene:
        """Return the scene whose cue comes last in what the user said."""
        places = [(seen.said.rfind(scene.cue), scene) for scene in self.scenes]
        where, found = max(places, key=lambda place: place[0], default=(-1, Scene("")))
        return found if where >= 0 else Scene("")

    def move(self, seen: Seen, body: dict[str, Any]) -> tuple[str, str, dict[str, Any]] | str:
        """Return namespace, name and arguments of the next call, or what is answered."""
        scene = self.scene_of(seen)
        for call in scene.calls:
            done = sum(name.endswith(call.tool) for name in seen.called)
            wanted = sum(one.tool == call.tool for one in scene.calls)
            if done >= wanted:
                continue
            same = [one for one in scene.calls if one.tool == call.tool]
            for namespace, name in seen.offered:
                if name.endswith(call.tool):
                    return namespace, name, same[done].arguments
            put_off = re.search(rf"mcp__\w*{call.tool}", json.dumps(body))
            offers_search = ("", "ToolSearch") in seen.offered
            if put_off and offers_search and "ToolSearch" not in seen.called:
                return "", "ToolSearch", {"query": f"select:{put_off[0]}"}
        return scene.answer


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _texts(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _fresh(prefix: str) -> str:
    return f"{prefix}{next(_NUMBERS):08d}"


# ---------------------------------------------------------------- reading requests


def _seen_messages(body: dict[str, Any]) -> Seen:
    said, called = "", []
    for message in body["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else []
        if message["role"] == "user":
            if not any(block.get("type") == "tool_result" for block in blocks):
                said, called = _texts(content), []
        else:
            called += [block["name"] for block in blocks if block.get("type") == "tool_use"]
    offered = [("", tool.get("name", "")) for tool in body.get("tools", [])]
    return Seen(said, tuple(called), tuple(offered))


def _seen_responses(body: dict[str, Any]) -> Seen:
    said, called = "", []
    given = body.get("input") or []
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    for item in given:
        if item.get("type", "message") == "message" and item.get("role") == "user":
            said, called = _texts(item.get("content")), []
        elif item.get("type") == "function_call":
            called.append(item["name"])
    offered = []
    for tool in body.get("tools") or []:
        inner = tool.get("tools")
        if inner is None:
            offered.append(("", tool.get("name", "")))
        else:
            offered += [(tool.get("name", ""), one.get("name", "")) for one in inner]
    return Seen(said, tuple(called), tuple(offered))


def _seen_chat(body: dict[str, Any]) -> Seen:
    said, called = "", []
    for message in body["messages"]:
        if message["role"] == "user":
            said, called = _texts(message["content"]), []
        called += [call["function"]["name"] for call in message.get("tool_calls") or ()]
    offered = [("", tool.get("function", {}).get("name", "")) for tool in body.get("tools", [])]
    return Seen(said, tuple(called), tuple(offered))


def _seen_gemini(body: dict[str, Any]) -> Seen:
    said, called = "", []
    for content in body.get("contents", []):
        parts = content.get("parts", [])
        called += [part["functionCall"]["name"] for part in parts if "functionCall" in part]
        answers = any("functionResponse" in part for part in parts)
        if content.get("role") == "user" and not answers:
            said, called = _texts(parts), []
    offered = [
        ("", declared.get("name", ""))
        for tool in body.get("tools", [])
        for declared in tool.get("functionDeclarations", [])
    ]
    return Seen(said, tuple(called), tuple(offered))


# ---------------------------------------------------------------- answering


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: ScriptedModel

    def log_message(self, format: str, *args: Any) -> None:
        del format, args

    def do_HEAD(self) -> None:
        self._whole({})

    def do_GET(self) -> None:
        self._whole({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        body = json.loads(self._body() or b"{}")
        if path.endswith("/messages"):
            self._messages(body)
        elif path.endswith("/responses"):
            self._responses(body)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        elif path.endswith(("eneratecontent", "enerateContent")):
            self._gemini(body, streamed=":stream" in path)
        elif path.endswith("ountTokens"):
            self._whole({"totalTokens": self.script.tokens})
        elif path.endswith("/count_tokens"):
            self._whole({"input_tokens": self.script.tokens})
        else:
            self._whole({})

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _next(
        self, wire: str, body: dict[str, Any], seen: Seen
    ) -> tuple[str, str, dict[str, Any]] | str:
        self.script.received.append(Received(wire, body))
        return self.script.move(seen, body)

    def _messages(self, body: dict[str, Any]) -> None:
        move = self._next("messages", body, _seen_messages(body))
        if isinstance(move, str):
            block = {"type": "text", "text": move}
            opened, delta = {**block, "text": ""}, {"type": "text_delta", "text": move}
            reason = "end_turn"
        else:
            block = {"type": "tool_use", "id": _fresh("toolu_"), "name": move[1], "input": move[2]}
            opened = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(move[2])}
            reason = "tool_use"
        usage = {"input_tokens": self.script.tokens, "output_tokens": 10}
        message = {
            "id": _fresh("msg_"), "type": "message", "role": "assistant",
            "model": body.get("model", ""), "content": [block], "stop_reason": reason,
            "stop_sequence": None, "usage": usage,
        }  # fmt: skip
        if not body.get("stream"):
            self._whole(message)
            return
        begun = {**message, "content": [], "stop_reason": None}
        ended = {"stop_reason": reason, "stop_sequence": None}
        self._stream(
            [
                {"type": "message_start", "message": begun},
                {"type": "content_block_start", "index": 0, "content_block": opened},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}},
                {"type": "message_stop"},
            ]
        )

    def _responses(self, body: dict[str, Any]) -> None:
        move = self._next("responses", body, _seen_responses(body))
        said = []
        if isinstance(move, str):
            content = [{"type": "output_text", "text": move, "annotations": []}]
            item: dict[str, Any] = {
                "type": "message", "id": _fresh("msg_"), "role": "assistant",
                "status": "completed", "content": content,
            }  # fmt: skip
            where = {"item_id": item["id"], "output_index": 0, "content_index": 0}
            said = [{"type": "response.output_text.delta", **where, "delta": move}]
        else:
            item = {
                "type": "function_call", "id": _fresh("fc_"), "call_id": _fresh("call_"),
                "name": move[1], "arguments": json.dumps(move[2]), "status": "completed",
            }  # fmt: skip
            if move[0]:
                item["namespace"] = move[0]
        usage = {
            "input_tokens": self.script.tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": self.script.tokens + 10,
        }  # fmt: skip
        done = {
            "id": _fresh("resp_"), "object": "response", "created_at": 0, "status": "completed",
            "model": body.get("model", ""), "output": [item], "usage": usage,
        }  # fmt: skip
        if not body.get("stream"):
            self._whole(done)
            return
        begun = {**done, "status": "in_progress", "output": [], "usage": None}
        events = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            *said,
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ]
        self._stream([{**event, "sequence_number": n} for n, event in enumerate(events)])

    def _chat(self, body: dict[str, Any]) -> None:
        move = self._next("chat", body, _seen_chat(body))
        message: dict[str, Any] = {"role": "assistant", "content": None}
        reason = "stop"
        if isinstance(move, str):
            message["content"] = move
        else:
            function = {"name": move[1], "arguments": json.dumps(move[2])}
            call = {"index": 0, "id": _fresh("call_"), "type": "function", "function": function}
            message["tool_calls"], reason = [call], "tool_calls"
        tokens = self.script.tokens
        usage = {
            "prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10,
        }  # fmt: skip
        shared = {"id": _fresh("chat_"), "created": 0, "model": body.get("model", "")}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self._whole(
                {**shared, "object": "chat.completion", "choices": [choice], "usage": usage}
            )
            return
        shared["object"] = "chat.completion.chunk"
        first = {"index": 0, "delta": message, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": reason}
        self._stream(
            [{**shared, "choices": [first]}, {**shared, "choices": [last], "usage": usage}, None]
        )

    def _gemini(self, body: dict[str, Any], *, streamed: bool) -> None:
        config = body.get("generationConfig") or {}
        if "json" in str(config.get("responseMimeType", "")) or "responseJsonSchema" in config:
            self._gemini_part({"text": _ROUTED}, streamed=streamed)
            return
        move = self._next("gemini", body, _seen_gemini(body))
        part: dict[str, Any] = {"text": move}
        if not isinstance(move, str):
            part = {"functionCall": {"name": move[1], "args": move[2]}}
        self._gemini_part(part, streamed=streamed)

    def _gemini_part(self, part: dict[str, Any], *, streamed: bool) -> None:
        content = {"role": "model", "parts": [part]}
        tokens = self.script.tokens
        usage = {
            "promptTokenCount": tokens, "candidatesTokenCount": 10, "totalTokenCount": tokens + 10,
        }  # fmt: skip
        answer = {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage,
        }
        if streamed:
            self._stream([answer])
        else:
            self._whole(answer)

    def _whole(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: Sequence[dict[str, Any] | None]) -> None:
        """Send server-sent events; None is the mark with which the chat format ends."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            if event is not None and "type" in event:
                self.wfile.write(f"event: {event['type']}\n".encode())
            data = "[DONE]" if event is None else json.dumps(event)
            self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True


# Gemini CLI asks in JSON which model to use, and who speaks next.
_ROUTED = json.dumps(
    {
        "reasoning": "scripted", "model_choice": "flash", "next_speaker": "user",
        "complexity_reasoning": "scripted", "complexity_score": 1,
    }
)  # fmt: skip
