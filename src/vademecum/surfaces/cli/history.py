"""`vade history`: list what was written, by whom and when."""

from __future__ import annotations

import re

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb

_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\Z")


@verb(
    "history",
    example="vade history NOW.md -n 3\nvade history ^c7f3a1\nvade history --session s1 --since "
    "2026-01-20",
    exits=(2, 3, 5),
)
@click.argument("path", required=False, metavar="[PATH|^ID]")
@click.option("--actor", "by", metavar="NAME", help="Only writes in this name.")
@click.option("--session", metavar="S", help="Only writes of this session.")
@click.option("--since", metavar="DATE", help="Only writes from this day on (YYYY-MM-DD).")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="At most this many writes.",
)
@pass_call
def command(
    call: Call,
    path: str | None,
    by: str | None,
    session: str | None,
    since: str | None,
    limit: int,
) -> None:
    """List the writes to PATH, or to the line of the claim ^ID, newest first.

    Each has an id that `vade undo` takes. Without either it is the whole workspace. With --actor,
    what an agent wrote before it was renamed is listed too, with the name of that time.
    """
    from vademecum.surfaces.rendering.files import history  # noqa: PLC0415  not for `--help`

    claim = path if path and _BLOCK_ID.match(path) else None
    with call.memory() as memory:
        changes = memory.history(
            None if claim else path,
            claim=claim,
            actor=by,
            session=session,
            since=since,
            limit=limit,
        )
    output.show({"changes": changes}, history(changes, by or ""), json=call.json)
