"""`vade uninstall`: take memory out of a coding agent's configuration again."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.install import HOSTS
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("uninstall", example="vade uninstall claude-code", exits=(2, 4, 5))
@click.argument("host", type=click.Choice(HOSTS))
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    help="Whose configuration: yours (the default), or that of the project in this directory.",
)
@pass_call
def command(call: Call, host: str, scope: str) -> None:
    """Take back what `vade install` put into the configuration of HOST, and nothing else.

    Files that nobody changed since are what they were, to the byte; from others only what belongs
    to vademecum is taken out. Memory itself is not touched.
    """
    from vademecum.service import installing  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering import installing as told  # noqa: PLC0415  as above

    project = Path.cwd() if scope == "project" else None
    done = installing.uninstall(host, project=project)
    output.show(done, told.installed(done), json=call.json)
