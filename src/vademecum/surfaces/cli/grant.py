"""`vade grant`: let one agent read the memory of another."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "grant",
    example="vade grant coordinator worker\n"
    "vade grant coordinator worker --folder memory/decisions --until 2026-12-31\n"
    "vade grant home work --kind preference --kind person",
    exits=(2, 3, 4, 5),
)
@click.argument("reader")
@click.argument("owner")
@click.option(
    "--folder",
    multiple=True,
    metavar="PATH",
    help="Only this file or folder of the owner's workspace; may be repeated.",
)
@click.option(
    "--kind",
    multiple=True,
    metavar="NAME",
    help="Only notes of this kind: decision, lesson, preference, person, project or fact.",
)
@click.option("--until", metavar="DATE", help="The last day on which it holds (YYYY-MM-DD).")
@pass_call
def command(
    call: Call,
    reader: str,
    owner: str,
    folder: tuple[str, ...],
    kind: tuple[str, ...],
    until: str | None,
) -> None:
    """Let the agent READER read the memory of OWNER, from its next call on.

    A person grants, or the owner: no agent grants itself anything. The reader asks with `--from
    OWNER`, and gets nothing but these notes, each marked as OWNER's. `vade revoke` takes it back.
    """
    from vademecum.surfaces.rendering.agents import granted  # noqa: PLC0415  not for `--help`

    with call.owned(owner) as memory:
        done = memory.grant(reader, folder=folder, kind=kind, until=until)
    output.show(done, granted(done), json=call.json)
