"""`vade revoke`: take back what an agent was granted."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("revoke", example="vade revoke coordinator worker", exits=(2, 3, 4, 5))
@click.argument("reader")
@click.argument("owner")
@pass_call
def command(call: Call, reader: str, owner: str) -> None:
    """Take back all that the agent READER may read of OWNER, from its next call on.

    Servers that run need no restart. What the reader wrote down meanwhile stays with it. Where
    READER was granted nothing, the exit code is 3. A memory of a group is of each member: OWNER
    may be any of them.
    """
    from vademecum.surfaces.rendering.agents import revoked  # noqa: PLC0415  not for `--help`

    with call.owned(owner) as memory:
        done = memory.revoke(reader)
    output.show(done, revoked(reader, owner, done), json=call.json)
