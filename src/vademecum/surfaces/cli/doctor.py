"""`vade doctor`: find defects of files, index, configuration and system."""

from __future__ import annotations

import click

from vademecum.core.errors import BadInput, InvalidConfiguration
from vademecum.surfaces.cli import exits, output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "doctor",
    example="vade doctor\nvade doctor --fix --dry-run\nvade doctor --okf",
    exits=(2, 3, 4, 5, exits.DEFECTS),
)
@click.option("--fix", is_flag=True, help="Mend what needs no judgement; each can be undone.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what it would change.")
@click.option("--okf", is_flag=True, help="Check conformance to the Open Knowledge Format alone.")
@pass_call
def command(call: Call, fix: bool, dry_run: bool, okf: bool) -> int:
    """Find defects of files, ledger, index, configuration and system.

    Each finding has a stable code, a place and a remedy. Notices alone leave the exit code at 0.
    Nothing is changed, but for --fix: it gives claims their ids, puts notes into their maps,
    takes out map lines that lead nowhere, and puts back lines of logs and history that another
    program removed. What is left after that decides the exit code.
    """
    from vademecum.service.doctor.finding import unopened  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering import diagnosis  # noqa: PLC0415  parsing goes without what renders

    if dry_run and not fix:
        raise BadInput("--dry-run goes with --fix.", hint="`vade doctor` alone changes nothing.")
    if okf and fix:
        raise BadInput("--okf checks and mends nothing.", hint="Leave --fix out.")
    try:
        memory = call.memory()
    except InvalidConfiguration as error:
        found = unopened(error)
    else:
        with memory, Progress() as progress:
            found = memory.doctor(fix=fix, dry_run=dry_run, okf=okf, progress=progress)
    output.show(diagnosis.fields(found), diagnosis.lines(found), json=call.json)
    return exits.OK if found.sound else exits.DEFECTS
