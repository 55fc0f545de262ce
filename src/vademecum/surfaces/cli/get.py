"""`vade get`: print exact lines of a file."""

from __future__ import annotations

import sys

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "get",
    example='vade get memory/2026-01-20.md:3-12\nvade get "API style"\n'
    "vade get '[[2026-01-20#10:30 — API discussion]]'",
    exits=(2, 3, 4, 5),
)
@click.argument("target", metavar="PATH[:START[-END]]")
@click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="CHARACTERS",
    help="At most this many characters (0: no limit) instead of 120 lines and 12,000 characters.",
)
@pass_call
def command(call: Call, target: str, limit: int | None) -> None:
    """Print lines of a file exactly as they are on disk.

    PATH is relative to the workspace; a title or a [[wikilink]] will do where only one note answers
    to it. AGENT:PATH is in the memory of another agent that granted it. Files below dot directories
    are readable by path. What follows the printed lines is said on standard error.
    """
    from vademecum.surfaces.rendering import answers  # noqa: PLC0415  `--help` needs none

    with call.memory() as memory:
        excerpt = memory.get(target, limit=limit)
    if call.json:
        output.show_json(excerpt)
    elif sys.stdout.isatty():
        output.write(answers.excerpt(excerpt), sys.stdout)
    else:
        output.show_bytes(excerpt.content)
    if not call.json:
        output.note(answers.continuation(excerpt))
