"""A model that is a program: the prompt on standard input, the answer on standard output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath

from vademecum.core.changes import Usage
from vademecum.core.errors import ModelUnavailable
from vademecum.core.models import Reply, texts_under
from vademecum.markdown.sizes import estimate_tokens

_LONGEST_ANSWER = 2_000_000
_MOST_TRIES = 50


class CommandModel:
    """Any program that reads a prompt and prints an answer: `claude -p`, `codex exec -`, a script.

    It runs without a shell, once a question, and is ended with all that it started when it takes
    longer than `timeout` seconds.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._command = tuple(command)
        self._timeout = timeout

    @property
    def name(self) -> str:
        """The program as the ledger names it."""
        return PurePath(self._command[0]).name if self._command else "command"

    def ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        """Return what the program answers, a list of texts under each name of `wanted`.

        Nobody tells the tokens, so they are estimated. Raises ModelUnavailable when it cannot be
        run, fails, or takes too long.
        """
        asked = f"{prompt}\n\n{_form(wanted)}"
        printed = self._run(asked)
        usage = Usage(
            self.name, estimate_tokens(asked), estimate_tokens(printed), None, estimated=True
        )
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
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"{self._command[0]} cannot be run: {error}.", hint="Check model.command."
            ) from None
        with process:
            try:
                out, said = process.communicate(
                    text.encode("utf-8", "replace"), timeout=self._timeout
                )
            except subprocess.TimeoutExpired:
                raise ModelUnavailable(
                    f"{self._command[0]} took longer than {self._timeout:g} seconds.",
                    hint="Raise model.timeout, or try again.",
                    transient=True,
                ) from None
            finally:
                _end(process)
        if process.returncode:
            told = said.decode("utf-8", "replace").strip().splitlines()
            raise ModelUnavailable(
                f"{self._command[0]} ended with {process.returncode}: {''.join(told[-1:])[:200]}",
                hint="Run the command of model.command by hand.",
            )
        return out[:_LONGEST_ANSWER].decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program's whole session where it is still running."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _form(wanted: Mapping[str, str]) -> str:
    rows = "\n".join(f'- "{name}": {meaning}' for name, meaning in wanted.items())
    return f"Answer with one JSON object and nothing else. Under each key, a list of texts:\n{rows}"


def objects_in(printed: str) -> Iterator[Mapping[str, object]]:
    """Yield the JSON objects in what was printed, whatever stands around them, the last first."""
    decoder = json.JSONDecoder()
    start, found = printed.find("{"), []
    for _ in range(_MOST_TRIES):
        if start < 0:
            break
        try:
            value, stop = decoder.raw_decode(printed, start)
            found.append(value)
        except (ValueError, RecursionError):
            stop = start + 1
        start = printed.find("{", stop)
    yield from (value for value in reversed(found) if isinstance(value, dict))
