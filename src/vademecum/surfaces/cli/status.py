"""`vade status`: show what the index holds and what it lacks."""

from __future__ import annotations

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("status", example="vade status", exits=(2, 3, 5, 6))
@pass_call
def command(call: Call) -> None:
    """Show the workspace, what the index holds of it and what it lacks.

    The counts are those of the files on disk at this moment; what is not indexed is listed with its
    reason.
    """
    from vademecum.surfaces.rendering.health import status  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        report = memory.status()
    output.show(report, status(report), json=call.json)
