"""`vade init`: make a directory a workspace."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("init", example="vade init ~/agents/main\nvade init . --profile openclaw", exits=(2, 4, 5))
@click.argument("path", required=False)
@click.option(
    "--profile",
    metavar="NAME",
    help="Layout: standard, openclaw, nanoclaw, vault or gitmem; else the one found there.",
)
@pass_call
def command(call: Call, path: str | None, profile: str | None) -> None:
    """Make PATH (here by default) a workspace.

    Only missing files are created; nothing that exists is touched, and a second run changes
    nothing. The layout of an existing workspace of another system is recognised and kept.
    """
    from vademecum.service.memory import init  # noqa: PLC0415  `--help` needs none
    from vademecum.surfaces.rendering.files import initialised  # noqa: PLC0415  parsing goes without what renders

    made = init(path or call.workspace or ".", profile=profile, agent=call.agent, clock=call.clock)
    output.show(made, initialised(made), json=call.json)
