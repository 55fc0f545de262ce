"""The `git` command: found once, run without prompts, hooks, or anything of a Git around it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from vademecum.core.frozen import dataclass

_PATIENCE = 20.0
"""Seconds for one command; each takes milliseconds."""
_QUIET = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
}
_PLAIN = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "core.quotePath=false",
)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended; `error` is what it said on standard error, in one line."""

    code: int
    out: bytes = b""
    error: str = ""

    @property
    def ok(self) -> bool:
        """Whether it did what it was asked to."""
        return self.code == 0

    @property
    def text(self) -> str:
        """Its output without the line end."""
        return self.out.decode("utf-8", "surrogateescape").rstrip("\n")


class Git:
    """Runs `git` in one folder; what fails is a value, never an exception."""

    def __init__(self, program: str, folder: Path, variables: Mapping[str, str]) -> None:
        self._program = program
        self.folder = folder
        # A Git that runs us as a hook or driver names its own repository and index to us.
        outer = {key: value for key, value in variables.items() if not key.startswith("GIT_")}
        self._environment = {**outer, **_QUIET}

    def run(
        self,
        *arguments: str,
        input: bytes = b"",
        variables: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run one command and return how it ended; one that hangs or cannot start has code -1."""
        settings = [part for each in _PLAIN for part in ("-c", each)]
        try:
            done = subprocess.run(
                [self._program, *settings, *arguments],
                cwd=self.folder,
                env={**self._environment, **(variables or {})},
                input=input,
                capture_output=True,
                timeout=_PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Ran(-1, error=f"git {arguments[0]} took longer than {_PATIENCE:g} seconds")
        except OSError as error:
            return Ran(-1, error=f"git cannot be run: {error.strerror or error}")
        said = " ".join(done.stderr.decode("utf-8", "replace").split())
        return Ran(done.returncode, done.stdout, said)


@lru_cache(maxsize=4)
def program_in(path: str) -> str:
    """Return the absolute path of `git` among the folders of `path`, empty where there is none."""
    found = shutil.which("git", path=path)
    return str(Path(found).absolute()) if found else ""
