"""`vade merge-file`: Git's merge driver for memory files."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("merge-file", example="vade merge-file %O %A %B %P --marker-size %L", exits=(2, 3, 5))
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@click.argument("path", default="")
@click.option(
    "--marker-size",
    type=click.IntRange(1),
    default=7,
    metavar="N",
    help="Length of the markers around prose that both sides rewrote.",
)
@pass_call
def command(call: Call, base: str, ours: str, theirs: str, path: str, marker_size: int) -> int:
    """Merge THEIRS into OURS, both made from BASE, claim by claim; PATH is where the file belongs.

    Git calls it where `vade git setup` was run. It ends with 0 when all is clear, and with 1 when
    the file holds marked conflicts that a person has to rule; nothing of either side is lost.
    """
    from vademecum.service.merging import merge_file  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering.overseeing import merged_file  # noqa: PLC0415  as above

    done = merge_file(
        Path(base),
        Path(ours),
        Path(theirs),
        path,
        marker=marker_size,
        agent=call.agent,
        clock=call.clock,
    )
    if call.json:
        output.show_json(done)
    else:
        output.note(merged_file(done))
    return done.status
