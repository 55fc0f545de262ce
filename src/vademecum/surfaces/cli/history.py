"""`vade history`: list what was written, by whom and when."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("history", example="vade history NOW.md -n 3", exits=(2, 3, 5))
@click.argument("path", required=False)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="At most this many writes.",
)
@pass_call
def command(call: Call, path: str | None, limit: int) -> None:
    """List the writes to PATH (to the whole workspace by default), newest first.

    Each has an id that `vade undo` takes.
    """
    from vademecum.surfaces.rendering.files import history  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        changes = memory.history(path, limit=limit)
    output.show({"changes": changes}, history(changes), json=call.json)
