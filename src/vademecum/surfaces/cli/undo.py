"""`vade undo`: take back a write."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("undo", example="vade history\nvade undo 01k9h2mzq4c8r7t5w3", exits=(2, 3, 4, 5))
@click.argument("change", metavar="ID")
@pass_call
def command(call: Call, change: str) -> None:
    """Take back the write ID, as `vade history` lists it; what others wrote since then stays.

    Taking back is a write of its own and can be taken back as well.
    """
    from vademecum.surfaces.rendering.files import undone  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        done = memory.undo(change)
    output.show({"undone": change, "written": done}, undone(change, done), json=call.json)
