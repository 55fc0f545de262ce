"""The start of `vade`: a hook is answered before anything is loaded that it does not need."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line of this process and end it; the entry point of `vade`."""
    arguments = sys.argv[1:]
    if "hook" in arguments:
        _run_hook(arguments)
    from vademecum.surfaces.cli import main  # noqa: PLC0415  loads click, which a hook goes without

    main.run(arguments)


def _run_hook(arguments: list[str]) -> None:
    """Answer a hook and end the process; return where the command line is another one."""
    gc.disable()  # what a hook makes is gone in a moment anyway
    from vademecum.surfaces.hooks.arguments import hook_call  # noqa: PLC0415  only hooks need it

    call = hook_call(arguments)
    if call is None:
        gc.enable()
        return
    from vademecum.surfaces.hooks import run  # noqa: PLC0415  as above

    os._exit(run.run(call))
