"""Serving many clients over streamable HTTP, on this machine unless told otherwise."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.surfaces.mcp.door import Door, Opening
from vademecum.surfaces.mcp.gate import LOOPBACK, Application, Gate
from vademecum.surfaces.mcp.server import server

PATH = "/mcp"
MOST_BYTES = 1_000_000
"""Of the body of one request; a claim or an entry is far smaller."""
_BACKLOG = 128
_EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""Addresses to listen at that are no names to be reached under."""
_SECONDS_TO_END = 2


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen, and the further host names under which clients may ask."""

    host: str
    port: int
    names: tuple[str, ...] = ()


def application(door: Door, token: str, names: tuple[str, ...] = ()) -> Application:
    """Return the guarded ASGI application: stateless, JSON answers, no session to steal."""
    inner = server(door).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        # The gate has checked Host and Origin against the names of this place.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Gate(inner, token, LOOPBACK | frozenset(names))


def serve(opening: Opening, place: Place, token: str, announce: Callable[[str], None]) -> None:
    """Listen at `place` until interrupted; `announce` gets the address once it is bound.

    Raises BadInput where it cannot be bound.
    """
    listening = _bound(place)
    door = Door(opening, "http")
    named = () if place.host in LOOPBACK | _EVERYWHERE else (place.host,)
    try:
        host = f"[{place.host}]" if ":" in place.host else place.host
        announce(f"http://{host}:{listening.getsockname()[1]}{PATH}")
        uvicorn.Server(
            uvicorn.Config(
                application(door, token, (*place.names, *named)),
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_SECONDS_TO_END,
                ws="none",
            )
        ).run(sockets=[listening])
    finally:
        listening.close()
        door.close()


def _bound(place: Place) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((place.host, place.port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(
            f"Port {place.port} of {place.host} cannot be listened at: {reason}.",
            hint="Name another with --port; 0 takes a free one.",
        ) from error
    return listening
