"""Serving one client over the standard streams of this process."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from typing import cast

import anyio
from mcp.server.stdio import stdio_server

from vademecum.surfaces.mcp.door import Door, Opening
from vademecum.surfaces.mcp.server import server


def serve(opening: Opening) -> None:
    """Serve until the client closes our standard input; then close the memory."""
    door = Door(opening)
    try:
        anyio.run(_serve, door)
    finally:
        door.close()


async def _serve(door: Door) -> None:
    serving = server(door)
    lines = cast("anyio.AsyncFile[str]", _Lines(_standard_input()))  # only iterated over
    async with stdio_server(stdin=lines) as (incoming, outgoing):
        await serving.run(incoming, outgoing, serving.create_initialization_options())


class _Lines:
    """The lines of a client, each of them JSON that the protocol can read.

    Half a surrogate pair, which clients in JavaScript send for text that was cut within an emoji,
    would make the whole message unreadable and its sender wait in vain; it becomes U+FFFD.
    """

    def __init__(self, file: anyio.AsyncFile[str]) -> None:
        self._file = file

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._file:
            yield mended(line) if "\\ud" in line.lower() else line


def mended(line: str) -> str:
    """Return a line of JSON without halves of surrogate pairs; what is no JSON stays as it is."""
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _standard_input() -> anyio.AsyncFile[str]:
    """Return our standard input; what else runs in this process reads an empty one from now on."""
    ours = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # A thread may still read when the server ends, so the descriptor is never given to another.
    return anyio.wrap_file(os.fdopen(ours, encoding="utf-8", errors="replace", closefd=False))
