"""`vade status`: show what the index holds and what it lacks, and how present the notes are."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("status", example="vade status\nvade status --temperature -n 10", exits=(2, 3, 5, 6))
@click.option(
    "--temperature", is_flag=True, help="Also list notes by how present they are, hottest first."
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    metavar="N",
    help="With --temperature, list at most this many notes; 0: all.",
)
@pass_call
def command(call: Call, temperature: bool, limit: int) -> None:
    """Show the workspace, what the index holds of it and what it lacks.

    The counts are those of the files on disk at this moment; what is not indexed is listed with its
    reason. A temperature is 0.5 * exp(-0.03 * days) for age, 0.3 for three references or more in
    the logs of the last week, and 0.2 for core priority: hot above 0.7, cold up to 0.3.
    """
    from vademecum.surfaces.rendering.health import status  # noqa: PLC0415  not for `--help`

    with call.memory() as memory, Progress() as progress:
        report = memory.status(temperature=temperature, limit=limit, progress=progress)
    output.show(report, status(report), json=call.json)
