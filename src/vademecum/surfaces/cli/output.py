"""Where a command's result goes: JSON, a pipe or a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from vademecum.core.errors import StorageFailed, VademecumError
from vademecum.surfaces.cli import exits
from vademecum.surfaces.rendering.lines import Line
from vademecum.surfaces.rendering.visible import one_line


def prepare_streams() -> None:
    """Make both streams survive any text: what their encoding lacks is written as an escape.

    A stream that whoever called has closed is replaced by one that leads nowhere.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  kept
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def show(value: object, lines: Iterable[Line], *, json: bool) -> None:
    """Write a command's result to standard output in the form that was asked for."""
    if json:
        show_json(value)
    else:
        write(lines, sys.stdout)


def show_json(value: object, *, one_row: bool = False) -> None:
    """Write `value` as one JSON document, or as one row of a stream of them."""
    from vademecum.surfaces.rendering.as_json import (  # noqa: PLC0415  text output goes without
        document,
    )

    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    indent = None if one_row else 2
    _put(sys.stdout, document(value, indent=indent, ascii_only=encoding != "utf8") + "\n")


def show_bytes(data: bytes) -> None:
    """Write exactly `data` to standard output."""
    with _answering(sys.stdout):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def note(lines: Iterable[Line]) -> None:
    """Write lines beside the result, to standard error."""
    write(lines, sys.stderr)


def write(lines: Iterable[Line], file: TextIO) -> None:
    """Write lines for whoever reads `file`: a person at a terminal or a program."""
    from vademecum.surfaces.rendering import (  # noqa: PLC0415  JSON output goes without
        terminal,
    )

    with _answering(file):
        if file.isatty():
            terminal.write_terminal(lines, file)
        else:
            terminal.write_plain(lines, file)


def report(error: VademecumError, *, json: bool) -> None:
    """Say what went wrong, once: as JSON on standard output, else two lines on standard error."""
    if json:
        from vademecum.surfaces.rendering.as_json import (  # noqa: PLC0415  as above
            error_fields,
        )

        show_json(error_fields(error))
        return
    text = f"error: {one_line(str(error))}\n"
    if error.hint:
        text += f"hint: {one_line(error.hint)}\n"
    _put(sys.stderr, text)


def _put(file: TextIO, text: str) -> None:
    with _answering(file):
        file.write(text)


@contextmanager
def _answering(file: TextIO) -> Iterator[None]:
    """Write and flush; a reader that went away ends the call, a full disk is told apart.

    Raises StorageFailed: what the call was made for is done by then, and must not be repeated.
    """
    try:
        yield
        file.flush()
    except BrokenPipeError:
        _pipe_closed()
    except OSError as error:
        raise StorageFailed(
            f"The answer could not be written: {error.strerror or error}.",
            hint="What the command did stands; look with `vade history` before repeating a write.",
        ) from error


def _pipe_closed() -> None:
    """End quietly; the interpreter must not try to flush the closed pipe once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    raise click.exceptions.Exit(exits.PIPE_CLOSED)
