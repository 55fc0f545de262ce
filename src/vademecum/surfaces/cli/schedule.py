"""`vade schedule`: have the system run jobs when they are due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.program import this_program
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.service.tending import ScheduleAction


@verb(
    "schedule",
    example="vade schedule install\nvade schedule install --kind cron --print",
    exits=(2, 3, 4, 5),
)
@click.argument("action", type=click.Choice(["install", "status", "remove"]), default="status")
@click.option(
    "--kind",
    type=click.Choice(["systemd", "launchd", "cron"]),
    help="Who runs them; else whoever does already, else what this system has.",
)
@click.option("--print", "only_print", is_flag=True, help="Print what would go where; do nothing.")
@click.option(
    "--program",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The vade that is called; else the one that runs now.",
)
@pass_call
def command(
    call: Call, action: ScheduleAction, kind: str | None, only_print: bool, program: Path | None
) -> None:
    """Let systemd, launchd or cron call `vade serve --once` when jobs are due.

    `install` writes timers of the user for this workspace: units of systemd, an agent of launchd,
    or a block in the crontab between two marks. A second time nothing changes; another kind takes
    the place of the one before. Where it cannot be started, or the crontab cannot be read, nothing
    is changed and the exit code is 4. `remove` takes away exactly what was written, of every kind
    without --kind. `status` says what is in place, when each job ran last and what is due next. A
    computer that was off makes up for what it missed.
    """
    from vademecum.surfaces.rendering import scheduling  # noqa: PLC0415  not for `--help`

    words = (str(program.absolute()),) if program else this_program()
    with call.memory() as memory:
        found = memory.schedule("status" if only_print else action, kind=kind or "", program=words)
    if only_print:
        output.show(found.pieces, scheduling.to_write(found), json=call.json)
    else:
        output.show(found, scheduling.scheduled(found, action), json=call.json)
