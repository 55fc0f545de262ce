"""Commands of the system: run with patience; how one ended is a value, never an exception."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence

from vademecum.core.frozen import dataclass

_PATIENCE = 30.0
"""Seconds for one command; each takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: what it printed, and what it said on standard error, in one line."""

    code: int
    out: bytes = b""
    said: str = ""


class System:
    """Runs commands that are found on the user's PATH."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        # What they say is understood in one language alone.
        self._variables = {**variables, "LC_ALL": "C"}

    def has(self, program: str) -> bool:
        """Whether there is such a command."""
        return bool(self._which(program))

    def run(self, words: Sequence[str], given: bytes = b"") -> Ended:
        """Run a command; one that is missing, cannot start or hangs has code -1."""
        program = self._which(words[0])
        if not program:
            return Ended(-1, said=f"there is no {words[0]} here")
        try:
            ended = subprocess.run(
                [program, *words[1:]],
                input=given,
                capture_output=True,
                env=self._variables,
                timeout=_PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Ended(-1, said=f"it took longer than {_PATIENCE:g} seconds")
        except OSError as error:
            return Ended(-1, said=f"it cannot be run: {error.strerror or error}")
        said = " ".join(ended.stderr.decode("utf-8", "replace").split())
        return Ended(ended.returncode, ended.stdout, said)

    def _which(self, program: str) -> str:
        return shutil.which(program, path=self._variables.get("PATH")) or ""
