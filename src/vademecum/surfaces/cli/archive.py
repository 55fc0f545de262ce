"""`vade archive`: move what has gone cold into the archive, or bring it back."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "archive",
    example="vade archive --dry-run\nvade archive --restore memory/2026-01-20.md",
    exits=(2, 3, 4, 5),
)
@click.option("--dry-run", is_flag=True, help="Show what would move; change nothing.")
@click.option(
    "--restore",
    "target",
    metavar="PATH|all",
    help="Bring back a note, by the path it has or had, a folder of the archive, or all.",
)
@pass_call
def command(call: Call, dry_run: bool, target: str | None) -> None:
    """Move daily logs, reflections and done actions into the archive once they are old and cold.

    A log goes after 30 days, if its day has a reflection and no log of the last week refers to it;
    a reflection after 30 days, a file of actions/done after 14; core items and all other notes
    never. Links to what was moved still work, and search leaves it out. Lessons that have gone
    cold are marked [COLD] in the maps. `vade undo --session archive-DATE` takes a run back.
    """
    from vademecum.surfaces.rendering.jobs import (  # noqa: PLC0415  not for `--help`
        report_fields,
        reported,
    )

    with call.memory() as memory, Progress() as progress:
        if target is None:
            done = memory.archive(dry_run=dry_run, progress=progress)
        else:
            done = memory.restore(target, dry_run=dry_run)
    output.show(report_fields(done), reported(done), json=call.json)
