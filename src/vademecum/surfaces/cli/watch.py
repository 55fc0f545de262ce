"""`vade watch`: keep the index up to date until stopped."""

from __future__ import annotations

import sys

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("watch", example="vade watch", exits=(2, 3, 5, 6))
@pass_call
def command(call: Call) -> None:
    """Keep the index up to date until stopped with Ctrl-C.

    Only a convenience: searching notices changes by itself. With --json, one row for each batch.
    """
    from vademecum.surfaces.rendering.health import synced  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        for report in memory.watch():
            if call.json:
                output.show_json(report, one_row=True)
            else:
                output.write(synced(report), sys.stdout)
