"""`vade reflect`: look back on a day, and write back what it taught."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "reflect",
    example="vade reflect\nvade reflect 2026-01-20 --dry-run",
    exits=(2, 3, 4, 5, 6),
)
@click.argument("day", metavar="[DATE]", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would be written; change nothing.")
@click.option("--again", is_flag=True, help="Also where the day was reflected on.")
@pass_call
def command(call: Call, day: str | None, dry_run: bool, again: bool) -> None:
    """Reflect on DATE (YYYY-MM-DD; today without one): write memory/reflections/DATE.md.

    Plan against reality, what went right and wrong, what was learnt, what to change tomorrow: each
    line links to its entry. What the day states that lasts (decisions, lessons, preferences,
    people, projects) is remembered in the words of the log, with its place as evidence. The second
    time nothing changes; entries made since are added. With a model (`model.provider`) it
    words the lines; what it cannot show in the log is declined. `vade undo --session reflect-DATE`
    takes all of it back.
    """
    from vademecum.surfaces.rendering.jobs import (  # noqa: PLC0415  not for `--help`
        report_fields,
        reported,
    )

    with call.memory() as memory, Progress() as progress:
        done = memory.reflect(day, dry_run=dry_run, again=again, progress=progress)
    output.show(report_fields(done), reported(done), json=call.json)
