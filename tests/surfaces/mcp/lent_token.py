"""Serve a workspace to clients that cannot send a token: `lent_token.py WORKSPACE` prints the port.

Each request gets the token on its way in; everything behind it is the server as it is.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from vademecum.service.memory import open_memory
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.http import application

TOKEN = "lent-to-whoever-asks"


def lending(inner: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Return `inner` with the token added to every request."""

    async def lend(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            token = (b"authorization", f"Bearer {TOKEN}".encode())
            scope = {**scope, "headers": [*scope["headers"], token]}
        await inner(scope, receive, send)

    return lend


if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    door = Door(lambda agent: open_memory(sys.argv[1], agent=agent), "http")
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    app = lending(application(door, TOKEN))
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
