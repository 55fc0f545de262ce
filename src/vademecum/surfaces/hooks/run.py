"""Running one hook: it ends with 0 whatever happens, and its host never waits long."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress

from vademecum.surfaces.hooks.arguments import HookCall
from vademecum.surfaces.hooks.shapes import printed

LIMIT = 9_500
"""Characters of an answer; hosts cut, or put aside, what is longer than 10,000."""
_SECONDS = 5.0
_LONGEST_INPUT = 50_000_000


def run(call: HookCall) -> int:
    """Answer the event on standard input, on standard output; return 0.

    An answer is one JSON document in the host's form, or nothing where there is nothing to say.
    Whatever goes wrong is one line in the log of the state directory.
    """
    state, rest = "", None
    try:
        signal.signal(signal.SIGALRM, _late)
        signal.setitimer(signal.ITIMER_REAL, _SECONDS)
        state, rest = _answer(call)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as error:  # noqa: BLE001  a hook that fails must not stop its host
        _complain(state, call, _reason(error))
    if rest is not None:
        _behind(rest)
    return 0


def _answer(call: HookCall) -> tuple[str, Callable[[], None] | None]:
    fields = json.loads(_input())
    if not isinstance(fields, dict):
        raise ValueError("the input is no JSON object")
    from vademecum.service.hooking import answer  # noqa: PLC0415  malformed input needs no memory

    done = answer(
        call.host,
        call.event,
        fields,
        workspace=call.workspace,
        agent=call.agent,
        limit=LIMIT,
        length=lambda text: len(printed(call.host, call.event, text).encode("utf-16-le")) // 2,
    )
    if done.text:
        _write(printed(call.host, call.event, done.text))
    if done.complaints:
        _complain(done.state, call, "; ".join(done.complaints))
    return done.state, done.rest


def _input() -> bytes:
    if os.isatty(0):
        raise ValueError("nothing was given on standard input")
    parts, length = [], 0
    while part := os.read(0, 1 << 20):
        parts.append(part)
        length += len(part)
        if length > _LONGEST_INPUT:
            raise ValueError("the input is too long")
    return b"".join(parts)


def _write(text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(1, data) :]


def _late(number: int, frame: object) -> None:
    del number, frame
    raise TimeoutError(f"gave up after {_SECONDS:g} seconds")


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _complain(state: str, call: HookCall, reason: str) -> None:
    with suppress(BaseException):
        from vademecum.service.hooking import write_down  # noqa: PLC0415  loaded by now, mostly

        write_down(state, call.host, call.event, reason)


def _behind(rest: Callable[[], None]) -> None:
    """Do `rest` in a process of its own that no signal to this one's group reaches."""
    with suppress(OSError):
        if os.fork():
            return
        code = 0
        with suppress(BaseException):
            os.setsid()
            nowhere = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nowhere, descriptor)
            rest()
        os._exit(code)
