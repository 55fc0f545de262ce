"""Who may speak to the server over HTTP: checked before a byte of the body is read."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from vademecum.core.frozen import dataclass

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_TOLD = {401: [(b"www-authenticate", b"Bearer")], 405: [(b"allow", b"POST")]}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further: an HTTP status and a sentence."""

    status: int
    sentence: str


class Gate:
    """An ASGI application in front of another.

    `hosts` are the names under which this server may be reached: a page that rebinds its own name
    to our address still says that name (421). A browser says where a page comes from (403). Both
    are checked before the token (401), which every request needs: a loopback port is open to every
    user of the machine. There are no CORS headers, so no page can read an answer.
    """

    def __init__(self, inner: Application, token: str, hosts: frozenset[str]) -> None:
        self._inner = inner
        self._token = token.encode()
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self.refusal(scope["method"], _headers(scope))
        if refusal is None:
            await self._inner(scope, receive, send)
        else:
            await _refuse(refusal, send)

    def refusal(self, method: str, headers: dict[str, list[str]]) -> Refusal | None:
        """Return why a request is refused, None where it is not."""
        if not self._is_ours(headers.get("host", [])):
            return Refusal(421, "This server does not answer to that host name.")
        origins = headers.get("origin", [])
        if any(not self._is_ours_origin(origin) for origin in origins):
            return Refusal(403, "Pages of that origin may not speak to this server.")
        if not self._knows(headers.get("authorization", [])):
            return Refusal(401, "The bearer token of this server is missing or wrong.")
        if method != "POST":
            return Refusal(405, "This server answers to POST; it has no stream of its own.")
        if not _is_json(headers.get("content-type", [])):
            return Refusal(415, "The body must be application/json.")
        return None

    def _is_ours(self, hosts: list[str]) -> bool:
        return len(hosts) == 1 and _name_of(f"//{hosts[0]}") in self._hosts

    def _is_ours_origin(self, origin: str) -> bool:
        return origin.startswith(("http://", "https://")) and _name_of(origin) in self._hosts

    def _knows(self, given: list[str]) -> bool:
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        sent = token.strip().encode("utf-8", "surrogateescape")
        return hmac.compare_digest(sent, self._token) and scheme.lower() == "bearer"


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _name_of(address: str) -> str:
    """Return the host of an address in lower case; empty for anything but host and port."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return ""
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        return ""
    return parts.hostname or ""


def _is_json(types: list[str]) -> bool:
    return len(types) == 1 and types[0].partition(";")[0].strip().lower() == "application/json"


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps({"error": {"code": "refused", "message": refusal.sentence}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close")]  # whatever body comes is not read
    headers += _TOLD.get(refusal.status, [])
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
