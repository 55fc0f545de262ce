"""`vade log`: append an event to today's log."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "log",
    example='vade log "Decided on REST over GraphQL" --title "API discussion"\n'
    "git log -1 --format=%s | vade log -",
    exits=(2, 3, 4, 5),
)
@click.argument("text", nargs=-1, required=True)
@click.option("--title", metavar="T", default="", help="Title; else the first words of TEXT.")
@click.option("--redact", is_flag=True, help="Leave out what looks like a credential.")
@pass_call
def command(call: Call, text: tuple[str, ...], title: str, redact: bool) -> None:
    """Append TEXT (`-` reads standard input) to today's log, under the time it is now.

    The entry is on disk when the command returns. Earlier entries are never changed.
    """
    from vademecum.surfaces.rendering.files import written  # noqa: PLC0415  `--help` needs none

    with call.memory() as memory:
        done = memory.log(joined(text), title=title, redact=redact)
    output.show(done, written(done, "logged"), json=call.json)
