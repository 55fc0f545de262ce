"""`vade undo`: take back a write, a call, a session, or all that an actor wrote."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "undo",
    example="vade history\nvade undo 01k9h2mzq4c8r7t5w3\nvade undo --session s1",
    exits=(2, 3, 4, 5),
)
@click.argument("change", metavar="[ID]", required=False)
@click.option("--session", metavar="S", help="Take back all that this session wrote.")
@click.option("--actor", "by", metavar="NAME", help="Take back all that was written in this name.")
@click.option("--since", metavar="DATE", help="With these, only from this day on (YYYY-MM-DD).")
@pass_call
def command(
    call: Call, change: str | None, session: str | None, by: str | None, since: str | None
) -> None:
    """Take back the write or the call ID, or many writes, newest first.

    IDs are those of `vade history`. What others wrote since then stays; of many, what they changed
    since is left alone, with the earlier version kept beside. Taking back is a write of its own and
    can be taken back as well.
    """
    from vademecum.surfaces.rendering import files, overseeing  # noqa: PLC0415  not for `--help`

    many = session is not None or by is not None
    if (change is not None) == many:
        raise click.UsageError("Name one ID, or --session or --actor.")
    with call.memory() as memory:
        if change is not None:
            written = memory.undo(change)
            told = {"undone": change, "written": written}
            output.show(told, files.undone(change, written), json=call.json)
        else:
            done = memory.undo(session=session, actor=by, since=since)
            output.show(done, overseeing.undone(done), json=call.json)
