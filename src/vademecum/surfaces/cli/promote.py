"""`vade promote`: propose what recurs for core memory, or put it there."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("promote", example="vade promote\nvade promote --apply", exits=(2, 3, 4, 5, 6))
@click.option("--apply", is_flag=True, help="Put it into core memory.")
@click.option("--dry-run", is_flag=True, help="Show it; do not even let it wait in review.")
@pass_call
def command(call: Call, apply: bool, dry_run: bool) -> None:
    """Propose for core memory what recurs, with its sources; apply it with --apply.

    What is stated or observed and was told on 3 days of the log (of 90), or recalled 3 times by 2
    different questions on 2 days (of 30). Each gets one line with its own tag and a link to its
    claim. Where the budget is used up, promoted lines that are used less leave; they stand in their
    notes. What is proposed waits in `vade review` as well: `keep` lets it in, `drop` dismisses it
    for good. `vade undo --session promote-DATE` takes back what was applied.
    """
    from vademecum.surfaces.rendering.jobs import (  # noqa: PLC0415  not for `--help`
        report_fields,
        reported,
    )

    with call.memory() as memory, Progress() as progress:
        done = memory.promote(apply=apply, dry_run=dry_run, progress=progress)
    output.show(report_fields(done), reported(done), json=call.json)
