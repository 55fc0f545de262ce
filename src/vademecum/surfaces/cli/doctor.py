"""`vade doctor`: find defects of files, index, configuration and system."""

from __future__ import annotations

from vademecum.core.errors import InvalidConfiguration
from vademecum.surfaces.cli import exits, output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("doctor", example="vade doctor", exits=(2, 3, 5, exits.DEFECTS))
@pass_call
def command(call: Call) -> int:
    """Find defects of files, index, configuration and system; nothing is changed.

    Each finding has a stable code, a place and a remedy. Notices alone leave the exit code at 0.
    """
    from vademecum.service.doctor.finding import unopened  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering.health import diagnosis  # noqa: PLC0415

    try:
        memory = call.memory()
    except InvalidConfiguration as error:
        found = unopened(error)
    else:
        with memory, Progress() as progress:
            found = memory.doctor(progress=progress)
    output.show(found, diagnosis(found), json=call.json)
    return exits.OK if found.sound else exits.DEFECTS
