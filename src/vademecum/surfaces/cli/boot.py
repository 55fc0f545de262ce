"""`vade boot`: print what a fresh context window opens with."""

from __future__ import annotations

import sys

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "boot",
    example="vade boot --event startup\nvade boot --event compact --budget 4000 --group",
    exits=(2, 3, 5),
)
@click.option(
    "--event",
    metavar="EVENT",
    default="startup",
    help="startup, resume, clear or compact; resume loads nothing and names what changed.",
)
@click.option("--profile", metavar="NAME", help="The files of that profile; else the workspace's.")
@click.option(
    "--budget",
    type=click.IntRange(500, 1_000_000),
    metavar="N",
    help="At most this many characters; else budget.boot of the configuration.",
)
@click.option("--group", is_flag=True, help="For a shared session: without private core memory.")
@click.option("--session", metavar="ID", help="The session that loads it; else actor.session.")
@pass_call
def command(
    call: Call,
    event: str,
    profile: str | None,
    budget: int | None,
    group: bool,
    session: str | None,
) -> None:
    """Print what a context window that begins with EVENT opens with.

    The files and their order are those of the profile, each within its share of the budget; one
    that is cut says so. What could not be loaded is named on standard error.
    """
    from vademecum.surfaces.rendering.waking import left_out  # noqa: PLC0415  not for `--help`

    with call.memory(profile) as memory:
        made = memory.boot(event, budget=budget, main_session=not group, session=session)
    if call.json:
        output.show_json(made)
    elif made.text:
        output.show_bytes(f"{made.text}\n".encode("utf-8", "replace"))
    if made.left_out and not call.json:
        output.write(left_out(made), sys.stderr)
