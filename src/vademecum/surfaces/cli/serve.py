"""`vade serve`: keep the index up to date and run each job when it is due, until stopped."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from types import FrameType

    from vademecum.service.serving import Event


@verb("serve", example="vade serve\nvade serve --once", exits=(2, 3, 4, 5, 6))
@click.option("--once", is_flag=True, help="Run whatever is due now, and end; timers call this.")
@pass_call
def command(call: Call, once: bool) -> None:
    """Watch the files and run heartbeat, reflection and archive when they are due.

    When that is, the keys `jobs.*` of the configuration say. Runs that were missed are made up for,
    the oldest first, those of the last 14 days at most. However many processes serve or call jobs,
    each run is made once. Ctrl-C and SIGTERM end it: a job under way stops between two of its steps
    and is gone on with the next time, and a model that is being asked is not waited for. One line
    on standard output for each thing done; with --json, one row.
    """
    from vademecum.surfaces.rendering.serving import (  # noqa: PLC0415  not for `--help`
        event_fields,
        told,
    )

    stop = threading.Event()
    speaking = threading.Lock()

    def tell(event: Event) -> None:
        with speaking:
            if call.json:
                output.show_json(event_fields(event), one_row=True)
            else:
                output.write(told(event), sys.stdout)

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        stop.set()
        signal.signal(number, signal.SIG_DFL)  # the second time it ends at once

    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, end)
    with call.memory() as memory:
        memory.serve(tell, stop=stop, once=once)
