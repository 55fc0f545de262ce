"""JSON over HTTP to one endpoint: kept connections, time limits, bounded repeats, failures told."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.frozen import dataclass

_LARGEST_ANSWER = 64 << 20
_LONGEST_EXCERPT = 200
_WORTH_REPEATING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request may take: for each attempt, between attempts, and how many there are."""

    seconds: float
    attempts: int
    longest_wait: float


class TooLarge(Exception):
    """The server takes no request of this size; fewer texts may go through."""


class Rejected(Exception):
    """The server understood and refused; `status` says how, the text is the server's own."""

    def __init__(self, status: int, excerpt: str) -> None:
        super().__init__(excerpt)
        self.status = status


class Exchange:
    """One endpoint. Safe to use from several threads; each request has a connection of its own."""

    def __init__(
        self,
        endpoint: str,
        headers: Mapping[str, str],
        *,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._address: SplitResult = urlsplit(endpoint.rstrip("/"))
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self._headers |= headers
        self._secrets = [value.rpartition(" ")[2] for value in headers.values()]
        self._wait = wait
        self._idle: list[http.client.HTTPConnection] = []
        self._guard = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def post(self, path: str, body: Mapping[str, Any], patience: Patience) -> Any:
        """Return the parsed answer.

        Raises TooLarge, Rejected, or EmbedderUnavailable (transient) when the server cannot be
        reached, stays overloaded, or answers with something that is not JSON.
        """
        payload = json.dumps(body, ensure_ascii=False).encode()
        failure = EmbedderUnavailable(f"{self._host} was not asked.", transient=True)
        for attempt in range(patience.attempts):
            try:
                status, retry_after, answer = self._once(path, payload, patience.seconds)
            except TimeoutError:
                failure = self._unreachable(f"did not answer within {patience.seconds:g} seconds")
                pause = 0.0
            except (OSError, http.client.HTTPException) as error:
                raise self._unreachable(f"cannot be reached: {_told(error)}") from error
            else:
                if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
                    return self._parsed(answer)
                excerpt = self._excerpt(answer)
                if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                    raise TooLarge(excerpt)
                if status not in _WORTH_REPEATING or _quota_is_spent(answer):
                    raise Rejected(status, excerpt)
                failure = self._unreachable(f"answered {status}: {excerpt}")
                pause = _pause(retry_after, attempt)
            if pause > patience.longest_wait or attempt + 1 == patience.attempts:
                break
            self._wait(pause)
        raise failure

    def close(self) -> None:
        """Close every kept connection."""
        with self._guard:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @property
    def _host(self) -> str:
        return self._address.netloc.rpartition("@")[2]

    def _once(self, path: str, payload: bytes, seconds: float) -> tuple[int, str, bytes]:
        with self._guard:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._ask(kept, path, payload, seconds)
            except TimeoutError:
                raise
            except (OSError, http.client.HTTPException):
                # The server closed a connection that we had kept; that says nothing about it now.
                kept.close()
        return self._ask(self._connection(seconds), path, payload, seconds)

    def _ask(
        self, connection: http.client.HTTPConnection, path: str, payload: bytes, seconds: float
    ) -> tuple[int, str, bytes]:
        kept = False
        try:
            if connection.sock is not None:
                connection.sock.settimeout(seconds)
            connection.request("POST", self._target(path), payload, self._headers)
            response = connection.getresponse()
            answer = response.read(_LARGEST_ANSWER + 1)
            if len(answer) > _LARGEST_ANSWER:
                raise http.client.HTTPException("the answer is larger than any embedding")
            kept = response.isclosed() and not response.will_close
            return response.status, response.headers.get("Retry-After", ""), answer
        finally:
            if kept:
                with self._guard:
                    self._idle.append(connection)
            else:
                connection.close()

    def _target(self, path: str) -> str:
        # Some servers want their version as a query on every address.
        query = f"?{self._address.query}" if self._address.query else ""
        return self._address.path + path + query

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=seconds)
        with self._guard:
            self._tls = self._tls or ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=self._tls)

    def _parsed(self, answer: bytes) -> Any:
        try:
            return json.loads(answer)
        except ValueError as error:
            raise self._unreachable(
                f"answered with something that is not JSON: {self._excerpt(answer)}"
            ) from error

    def _unreachable(self, what: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The embedding server {self._host} {what}.",
            hint="Keyword search works meanwhile; check embedder.endpoint and the server.",
            transient=True,
        )

    def _excerpt(self, answer: bytes) -> str:
        text = _message(answer)
        for secret in filter(None, self._secrets):
            text = text.replace(secret, "…")
        printable = "".join(char if char.isprintable() else " " for char in text)
        return " ".join(printable.split())[:_LONGEST_EXCERPT].rstrip(".") or "no explanation"


def _message(answer: bytes) -> str:
    try:
        parsed = json.loads(answer)
    except ValueError:
        return answer[: 4 * _LONGEST_EXCERPT].decode("utf-8", "replace")
    found = parsed
    for key in ("error", "message"):
        if isinstance(found, dict) and key in found:
            found = found[key]
    if isinstance(found, dict) and "detail" in found:
        found = found["detail"]
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _quota_is_spent(answer: bytes) -> bool:
    """Return whether a 429 is about money, where waiting does not help (a code, not a message)."""
    try:
        return bool(json.loads(answer)["error"]["code"] == "insufficient_quota")
    except (ValueError, KeyError, TypeError):
        return False


def _pause(retry_after: str, attempt: int) -> float:
    """Return the seconds that the server asks for, or half a second doubled at each attempt.

    A date instead of seconds is treated as silence: it would need a clock to be read against.
    """
    try:
        asked = float(retry_after)
    except ValueError:
        asked = -1.0
    return asked if asked >= 0 else 0.5 * 2.0**attempt


def _told(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
