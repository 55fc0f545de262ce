"""`vade gather`: fold what other agents lived through and decided into this agent's log."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "gather",
    example="vade gather --agent coordinator\n"
    "vade gather --agent coordinator --from worker --since 2026-01-01 --dry-run",
    exits=(2, 3, 4, 5),
)
@click.option(
    "--from",
    "named",
    multiple=True,
    metavar="AGENT",
    help="From this agent; may be repeated. Else from all that let this one read.",
)
@click.option("--since", metavar="DATE", help="The first day to look at; else 30 days back.")
@click.option("--dry-run", is_flag=True, help="Say what would be logged; write nothing.")
@pass_call
def command(call: Call, named: tuple[str, ...], since: str | None, dry_run: bool) -> None:
    """Log what is new in the memory of agents that let this one read theirs.

    That is: entries of their logs that state a decision, a correction, a preference, a lesson, a
    person or a project, and decisions that are new or hold no longer. Each comes once, quoted, with
    whose it is and where it stands, and is evidence of nothing. Where agents contradict each other,
    `vade review` says so.
    """
    from vademecum.surfaces.rendering.gathering import gathered  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        done = memory.gather(named, since=since, dry_run=dry_run)
    output.show(done, gathered(done), json=call.json)
