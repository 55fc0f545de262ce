"""How this very program is started again, by whoever is to call it later."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def this_program() -> tuple[str, ...]:
    """Return the words that start this program, wherever from, by absolute paths."""
    beside = Path(sys.executable).with_name("vade")
    if beside.is_file():
        return (str(beside),)
    called = Path(sys.argv[0])
    if called.name == "vade" and called.is_file():
        return (str(called.absolute()),)
    if found := shutil.which("vade"):
        return (str(Path(found).absolute()),)
    return (sys.executable, "-m", "vademecum")
