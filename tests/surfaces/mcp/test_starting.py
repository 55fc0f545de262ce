"""Starting the server: about as quick as an empty one, and nobody else pays for the protocol."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

import pytest

EMPTY = "from mcp.server.mcpserver import MCPServer; MCPServer('empty').run()"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def seconds_to_initialize(home: Any, command: list[str]) -> float:
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        env=home.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        took = time.perf_counter() - started
        assert answer["result"]["serverInfo"]
        process.stdin.close()
        process.wait(20)
    return took


@pytest.mark.slow
@pytest.mark.alone
def test_initialize_takes_at_most_a_fifth_longer_than_an_empty_server(home: Any) -> None:
    # Taken in turn, so that both meet the same neighbours; the quietest of each is compared.
    pairs = [
        (
            seconds_to_initialize(home, [sys.executable, "-c", EMPTY]),
            seconds_to_initialize(home, home.command("mcp")),
        )
        for _ in range(9)
    ]
    empty, ours = zip(*pairs, strict=True)
    assert statistics.median(ours) <= 1.2 * statistics.median(empty) or min(ours) <= 1.2 * min(
        empty
    )


def test_initialize_opens_neither_workspace_nor_index(home: Any) -> None:
    before = sorted(home.place.rglob("*"))
    seconds_to_initialize(home, home.command("mcp"))
    assert sorted(home.place.rglob("*")) == before


def test_other_commands_do_not_load_the_protocol(home: Any) -> None:
    code = (
        "import sys; from vademecum.surfaces.cli.main import status_of; "
        f"assert status_of(['--workspace', {str(home.workspace)!r}, 'log', 'x']) == 0; "
        "assert status_of(['mcp', '--help']) == 0; "
        "loaded = {'mcp', 'pydantic', 'anyio', 'uvicorn', 'starlette'} & set(sys.modules); "
        "assert not loaded, loaded"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=home.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
