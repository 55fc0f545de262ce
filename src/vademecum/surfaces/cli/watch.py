"""`vade watch`: keep the index up to date until stopped."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.service.memory import SyncReport


@verb("watch", example="vade watch", exits=(2, 3, 5, 6))
@pass_call
def command(call: Call) -> None:
    """Keep the index up to date until stopped with Ctrl-C.

    Only a convenience: searching notices changes by itself. With --json, one row for each batch.
    """
    from vademecum.surfaces.rendering.answers import degradations  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering.health import (  # noqa: PLC0415  parsing goes without what renders
        sync_fields,
        synced,
    )

    def tell(report: SyncReport) -> None:
        if call.json:
            output.show_json(sync_fields(report), one_row=True)
        else:
            output.write(synced(report), sys.stdout)

    with call.memory() as memory:
        memory.watch(tell, on_degraded=lambda part: output.note(degradations([part])))
