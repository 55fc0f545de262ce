"""`vade heartbeat`: bring log, claims and NOW.md up to what happened since the last one."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("heartbeat", example="vade heartbeat --dry-run\nvade heartbeat", exits=(2, 3, 4, 5, 6))
@click.option("--dry-run", is_flag=True, help="Show what would be written; change nothing.")
@pass_call
def command(call: Call, dry_run: bool) -> None:
    """Look at sessions, logs and ledger since the last beat; write down what lasts.

    What users said goes to the log in their words, what lasts of it and of the logs is remembered
    with its place as evidence, and NOW.md shows what is in hand: focus, tasks, what they wait for,
    who wrote. What you wrote there stays. Where nothing happened, nothing is written.
    """
    from vademecum.surfaces.rendering.jobs import (  # noqa: PLC0415  not for `--help`
        report_fields,
        reported,
    )

    with call.memory() as memory, Progress() as progress:
        done = memory.heartbeat(dry_run=dry_run, progress=progress)
    output.show(report_fields(done), reported(done), json=call.json)
