"""Windows that commands take: messages as JSON, from a file or from standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vademecum.core.errors import BadInput
from vademecum.service.given import given_file
from vademecum.surfaces.cli.verb import Call


def messages_in(call: Call, named: str | None) -> list[Any] | None:
    """Return the messages in the file `named` (`-`: standard input), None where none is.

    They are a list, or an object that has one under `messages`. Raises BadInput.
    """
    if named is None:
        return None
    try:
        given = json.loads(text_in(call, named))
    except ValueError as error:
        raise BadInput(
            f"{_source(named)} is no JSON: {error}.", hint="Give a list of messages."
        ) from None
    found = given.get("messages") if isinstance(given, dict) else given
    if not isinstance(found, list):
        raise BadInput(
            f"{_source(named)} holds no list of messages.",
            hint='Give [{"role": "user", "content": "…"}], or an object with "messages".',
        )
    return found


def text_in(call: Call, named: str) -> str:
    """Return the text of the file `named`, `-` is standard input.

    Raises BadInput, and Sealed for a file in the memory of another agent than the caller.
    """
    from vademecum.service.opening import check_content  # noqa: PLC0415  `--help` needs none

    if named != "-":
        check_content(named, call.agent)
    try:
        data = sys.stdin.buffer.read() if named == "-" else given_file(Path(named))
        return data.decode("utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"{_source(named)} cannot be read: {error}.") from None


def _source(named: str) -> str:
    return "Standard input" if named == "-" else named
