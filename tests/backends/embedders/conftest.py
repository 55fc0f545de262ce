"""A loopback server that answers embedding requests from a script, over real sockets."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    hang_up: bool = False

    def payload(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


Answer = Callable[[Request], Reply]


class Loopback:
    """Answers with the scripted replies first, one each, then with `answer`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.script: list[Reply] = []
        self.answer: Answer = lambda _: Reply(500, {"error": "nothing is scripted"})
        self.released = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(loopback) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                loopback.connections += 1

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = Request(self.path, dict(self.headers), json.loads(body))
                loopback.requests.append(request)
                script = loopback.script
                reply = script.pop(0) if script else loopback.answer(request)
                if reply.hang:
                    loopback.released.wait()
                if reply.hang or reply.hang_up:
                    self.close_connection = True
                    return
                payload = reply.payload()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        return Handler


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.stop()


@pytest.fixture
def reply() -> type[Reply]:
    return Reply
