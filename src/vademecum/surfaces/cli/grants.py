"""`vade grants`: list who may read this memory, and whose this one may read."""

from __future__ import annotations

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("grants", example="vade grants\nvade grants --agent coordinator", exits=(2, 3, 4, 5))
@pass_call
def command(call: Call) -> None:
    """List who may read this memory, and whose memory its agent may read.

    Grants of this memory that are past are listed too. They stand in a file that you may edit.
    """
    from vademecum.surfaces.rendering.agents import grants  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        found = memory.grants()
    output.show(found, grants(found), json=call.json)
