"""`vade doctor`: find defects of files, index, configuration and system."""

from __future__ import annotations

from vademecum.surfaces.cli import exits, output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("doctor", example="vade doctor", exits=(2, 3, 5, exits.DEFECTS))
@pass_call
def command(call: Call) -> int:
    """Find defects of files, index, configuration and system; nothing is changed.

    Each finding has a stable code, a place and a remedy. Notices alone leave the exit code at 0.
    """
    from vademecum.surfaces.rendering.health import diagnosis  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        found = memory.doctor()
    output.show(found, diagnosis(found), json=call.json)
    return exits.OK if found.sound else exits.DEFECTS
