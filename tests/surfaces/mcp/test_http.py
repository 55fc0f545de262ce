"""The server over HTTP: who may speak to it, and that a refused request has no effect."""

from __future__ import annotations

import json
import re
import socket
import stat
import subprocess
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from vademecum.core.errors import StateUnwritable
from vademecum.service.access import access
from vademecum.surfaces.mcp.gate import LOOPBACK, Gate

TOKEN = "the-token-of-this-installation"


class Served:
    """A running server and how to speak to it."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    def post(self, body: object, *, drop: tuple[str, ...] = (), **changed: str) -> tuple[int, Any]:
        headers = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": f"Bearer {self.token}",
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-11-25",
        }
        headers |= {name.replace("_", "-"): value for name, value in changed.items()}
        return self.send("POST", body, {k: v for k, v in headers.items() if k not in drop})

    def send(self, method: str, body: object, headers: dict[str, str]) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, "/mcp", skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.putheader("content-length", str(len(data)))
            connection.endheaders(data)
            answer = connection.getresponse()
            names = {name.lower() for name, _ in answer.getheaders()}
            assert not {name for name in names if name.startswith("access-control-")}
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith("{") else text
        finally:
            connection.close()

    def log(self, text: str, **changed: Any) -> int:
        asked = {"name": "memory_log", "arguments": {"text": text}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        return self.post(message, **changed)[0]


@pytest.fixture
def served(home: Any) -> Iterator[Served]:
    process = subprocess.Popen(
        home.command("mcp", "--http", "--port", "0", "--json"),
        env=home.environment,
        cwd=home.place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        while "}" not in said:
            row = process.stdout.readline()
            assert row, "the server ended before it said where it is"
            said += row
        told = json.loads(said)
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/mcp", told["address"])[1])  # type: ignore[index]  # wrong or missing it fails here
        yield Served(port, Path(told["token_file"]).read_text().strip())
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.req("B-06")
def test_only_a_right_request_has_an_effect(served: Served, home: Any) -> None:
    local = f"http://localhost:{served.port}"
    assert served.log("the right one") == 200
    assert served.log("of a local page", origin=local) == 200
    refused = {
        421: [{"host": "evil.example"}, {"host": f"evil.example:{served.port}"}],
        403: [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "file://"}],
        401: [
            {"drop": ("authorization",)},
            {"authorization": "Bearer wrong"},
            {"authorization": f"Basic {served.token}"},
            {"authorization": f"Bearer {served.token}x"},
        ],
        415: [
            {"content_type": "text/plain"},
            {"content_type": "application/x-www-form-urlencoded"},
            {"drop": ("content-type",)},
        ],
    }
    for status, changes in refused.items():
        for change in changes:
            assert served.log("the wrong one", **change) == status, change
    assert served.post(b"{" + b" " * 1_000_001)[0] == 413
    written = (next((home.workspace / "memory").glob("2*.md"))).read_text()
    assert "the right one" in written and "of a local page" in written
    assert "the wrong one" not in written


def test_other_methods_are_refused_before_anything_is_held_open(served: Served) -> None:
    headers = {"host": "127.0.0.1", "authorization": f"Bearer {served.token}"}
    for method in ("GET", "DELETE", "PUT", "OPTIONS"):
        assert served.send(method, b"", headers)[0] == 405, method
        assert served.send(method, b"", {"host": "127.0.0.1"})[0] == 401, method


def test_the_tools_answer_over_http_as_they_do_over_streams(served: Served) -> None:
    listed = served.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})[1]
    assert len(listed["result"]["tools"]) == 8
    assert served.post(b"no json")[0] == 400


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("127.0.0.1:80", None),
        ("LOCALHOST", None),
        ("[::1]:8427", None),
        ("127.0.0.1.evil.example", 421),
        ("localhost@evil.example", 421),
        ("evil.example#localhost", 421),
        ("localhost:x", 421),
        ("", 421),
    ],
)
def test_only_the_names_of_this_machine_are_answered_to(name: str, answer: int | None) -> None:
    gate = Gate(None, TOKEN, LOOPBACK)  # type: ignore[arg-type]  # wrong or missing it fails here
    headers = {"host": [name], "authorization": [f"Bearer {TOKEN}"]}
    headers["content-type"] = ["application/json; charset=utf-8"]
    refusal = gate.refusal("POST", headers)
    assert (refusal.status if refusal else None) == answer
    twice = gate.refusal("POST", headers | {"host": [name, "localhost"]})
    assert twice is not None and twice.status == 421


def test_the_token_is_made_once_for_its_owner_alone(home: Any) -> None:
    first = access(home.workspace, variables=home.environment)
    file = Path(first.file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(first.token) >= 32
    assert access(home.workspace, variables=home.environment) == first
    assert not list(file.parent.glob(f"{file.name}.*"))


def test_a_token_that_others_could_read_or_that_is_a_link_is_replaced(home: Any) -> None:
    first = access(home.workspace, variables=home.environment)
    file = Path(first.file)
    file.chmod(0o644)
    second = access(home.workspace, variables=home.environment)
    assert second.token != first.token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    elsewhere = file.with_name("elsewhere")
    elsewhere.write_text("x" * 40)
    file.unlink()
    file.symlink_to(elsewhere)
    third = access(home.workspace, variables=home.environment)
    assert third.token != "x" * 40
    assert not file.is_symlink()


def test_a_state_directory_that_cannot_be_written_is_said(home: Any) -> None:
    blocked = home.place / "blocked"
    blocked.write_text("a file\n")
    with pytest.raises(StateUnwritable, match="access token"):
        access(home.workspace, variables=home.environment | {"XDG_STATE_HOME": str(blocked)})


def test_a_port_that_is_taken_is_said_in_a_sentence(home: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = home.vade("mcp", "--http", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "cannot be listened at" in done.stderr and "--port" in done.stderr
    assert home.vade("mcp", "--port", "1").returncode == 2
