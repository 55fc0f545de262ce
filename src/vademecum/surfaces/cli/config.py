"""`vade config`: show every setting and where its value comes from."""

from __future__ import annotations

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("config", example="vade config\nvade config --json", exits=(2, 3, 5))
@pass_call
def command(call: Call) -> None:
    """Show every setting, its value and where that comes from.

    Later wins: default, user file, vade.toml of the workspace, VADE_* variables, options.
    """
    from vademecum.surfaces.rendering.health import settings  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        rows = memory.config()
    output.show({"settings": rows}, settings(rows), json=call.json)
