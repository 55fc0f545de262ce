"""Serving one client over the standard streams of this process."""

from __future__ import annotations

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
    async with stdio_server() as (incoming, outgoing):
        await serving.run(incoming, outgoing, serving.create_initialization_options())
