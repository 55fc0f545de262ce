"""A model that is a program: the prompt on standard input, the answer on standard output."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import IO, cast

from vademecum.core.changes import Usage
from vademecum.core.errors import ModelUnavailable
from vademecum.core.models import Reply, texts_under
from vademecum.markdown.sizes import estimate_tokens

_LONGEST_ANSWER = 2_000_000
"""Bytes of the end of what is printed that are looked at."""
_MOST_PRINTED = 50_000_000
"""Bytes after which a program is ended: it prints something else than an answer."""
_CHUNK = 65_536
_TICK = 0.05
_MOST_TRIES = 50


class CommandModel:
    """Any program that reads a prompt and prints an answer: `claude -p`, `codex exec -`, a script.

    It runs without a shell, once a question. When it has ended, prints without end or takes longer
    than `timeout` seconds, what is left of its session is ended with it.
    """

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take a program with its arguments; `given_up` tells that nobody waits any longer."""
        self._command = tuple(command)
        self._timeout = timeout
        self._given_up = given_up

    @property
    def name(self) -> str:
        """The program as the ledger names it."""
        return PurePath(self._command[0]).name if self._command else "command"

    def ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        """Return what the program answers, a list of texts under each name of `wanted`.

        Nobody tells the tokens, so they are estimated. Raises ModelUnavailable when it cannot be
        run, or, with what that took, when it fails or takes too long.
        """
        asked = f"{prompt}\n\n{_form(wanted)}"
        printed = self._run(asked)
        usage = self._usage(asked, printed)
        for found in objects_in(printed):
            if (read := texts_under(found, wanted)) is not None:
                return Reply(read, usage)
        return Reply(None, usage, f"It printed no JSON object with {', '.join(wanted)}.")

    def _run(self, text: str) -> str:
        if not self._command:
            raise ModelUnavailable(
                "No command is set for the model.",
                hint="Set model.command, or model.provider none.",
            )
        with self._started() as process:
            printed = _Printed(process, text.encode("utf-8", "replace"))
            try:
                failed = self._awaited(process, printed)
            finally:
                _end(process)
            printed.finish()
        out = printed.out.decode("utf-8", "replace")
        if failed is None and process.returncode:
            told = printed.said.decode("utf-8", "replace").strip().splitlines()
            failed = ModelUnavailable(
                f"{self._command[0]} ended with {process.returncode}: {''.join(told[-1:])[:200]}",
                hint="Run the command of model.command by hand.",
            )
        if failed is not None:
            failed.usage = self._usage(text, out)
            raise failed
        return out

    def _awaited(
        self, process: subprocess.Popen[bytes], printed: _Printed
    ) -> ModelUnavailable | None:
        """Wait until it has ended, or return why nobody waits any longer."""
        started = time.monotonic()
        while process.poll() is None:
            printed.go_on(_TICK)
            if printed.size > _MOST_PRINTED:
                return ModelUnavailable(
                    f"{self._command[0]} printed more than {_MOST_PRINTED:,} bytes.",
                    hint="It is to print one answer and end: check model.command.",
                )
            if self._given_up():
                return ModelUnavailable(
                    f"{self._command[0]} was ended before it answered: all work is to stop.",
                    hint="Ask again.",
                    transient=True,
                )
            if time.monotonic() - started > self._timeout:
                return ModelUnavailable(
                    f"{self._command[0]} took longer than {self._timeout:g} seconds.",
                    hint="Raise model.timeout, or try again.",
                    transient=True,
                )
        return None

    def _usage(self, asked: str, printed: str) -> Usage:
        sent, received = estimate_tokens(asked), estimate_tokens(printed)
        return Usage(self.name, sent, received, None, estimated=True)

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            apart = ", ".join(self._command[0].split())
            raise ModelUnavailable(
                f"{self._command[0]} cannot be run: {error}.",
                hint="Check model.command."
                if apart == self._command[0]
                else f"Write program and arguments apart in model.command: {apart}.",
            ) from None


class _Printed:
    """Gives a program its input and keeps the end of what it prints, while neither waits."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes) -> None:
        self.out = bytearray()
        self.said = bytearray()
        self.size = 0
        """Bytes that were printed, those that are not kept included."""
        self._left = memoryview(given)
        self._selector = selectors.DefaultSelector()
        for pipe, events in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            kept = self.out if pipe is process.stdout else self.said
            self._selector.register(pipe, events, kept)

    def go_on(self, seconds: float) -> None:
        """Move what can be moved, and wait for that as long at most."""
        if not self._selector.get_map():
            time.sleep(seconds)  # it closed its pipes and goes on
            return
        for key, events in self._selector.select(seconds):
            if events & selectors.EVENT_WRITE:
                self._give(key)
            else:
                self._take(key)

    def finish(self) -> None:
        """Take the rest of a program that has ended."""
        for key in list(self._selector.get_map().values()):
            while key.events & selectors.EVENT_READ and self.size <= _MOST_PRINTED:
                if not self._take(key):
                    break
        self._selector.close()

    def _give(self, key: selectors.SelectorKey) -> None:
        try:
            self._left = self._left[os.write(key.fd, self._left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self._left = self._left[:0]  # it does not read on
        if not self._left:
            self._close(key)

    def _take(self, key: selectors.SelectorKey) -> bool:
        """Return whether there may be more of it now."""
        try:
            chunk = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._close(key)
            return False
        self.size += len(chunk)
        key.data.extend(chunk)
        del key.data[:-_LONGEST_ANSWER]
        return True

    def _close(self, key: selectors.SelectorKey) -> None:
        self._selector.unregister(key.fileobj)
        with suppress(OSError):
            cast("IO[bytes]", key.fileobj).close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End all that is left of the program's session, also what outlived the program itself."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _form(wanted: Mapping[str, str]) -> str:
    rows = "\n".join(f'- "{name}": {meaning}' for name, meaning in wanted.items())
    return f"Answer with one JSON object and nothing else. Under each key, a list of texts:\n{rows}"


def objects_in(printed: str) -> Iterator[Mapping[str, object]]:
    """Yield JSON objects in what was printed, whatever stands around them, the last first.

    Looked at are the last that begin a line, the last of all and the first of all, 50 of each; of
    one in another the outer comes first.
    """
    decoder = json.JSONDecoder()
    found: dict[tuple[int, int], Mapping[str, object]] = {}
    tried: set[int] = set()
    for start in (*_from_the_end(printed, "\n{"), *_from_the_end(printed, "{")):
        if start not in tried:
            tried.add(start)
            _read_at(decoder, printed, start, found)
    start = printed.find("{")
    for _ in range(_MOST_TRIES):
        if start < 0:
            break
        stop = start + 1 if start in tried else _read_at(decoder, printed, start, found)
        start = printed.find("{", stop)
    for _, value in sorted(found.items(), key=lambda one: (-one[0][1], one[0][0])):
        yield value


def _from_the_end(printed: str, opening: str) -> Iterator[int]:
    """Yield where the last objects begin, the last first."""
    start = len(printed)
    for _ in range(_MOST_TRIES):
        start = printed.rfind(opening, 0, start)
        if start < 0:
            return
        yield start + len(opening) - 1


def _read_at(
    decoder: json.JSONDecoder,
    printed: str,
    start: int,
    found: dict[tuple[int, int], Mapping[str, object]],
) -> int:
    """Put the object that begins there to those found; return where to go on."""
    try:
        value, stop = decoder.raw_decode(printed, start)
    except (ValueError, RecursionError):
        return start + 1
    if isinstance(value, dict):
        found[start, stop] = value
    return stop
