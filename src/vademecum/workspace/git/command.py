"""The `git` command: found once, run without prompts, hooks, or anything of a Git around it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later

_PATIENCE = 20.0
"""Seconds for one command; each takes milliseconds."""
_REMOTE_PATIENCE = 120.0
"""Seconds for one command that speaks to another machine."""
_HANDED_ON: ContextVar[tuple[int, ...]] = ContextVar("handed_on", default=())
_TRANSPORT = ("GIT_SSH_COMMAND", "GIT_SSH", "GIT_SSH_VARIANT", "GIT_SSL_NO_VERIFY")
_CREDENTIALS = later(r"://[^/@\s]+@")
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
_PATIENT = "core.filesRefLockTimeout=5000"
"""Milliseconds to wait for whoever moves a branch: a fetch may outlive a sync that was killed."""
_PLAIN = (
    _PATIENT,
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
        self._outer = variables

    def run(
        self,
        *arguments: str,
        input: bytes = b"",
        variables: Mapping[str, str] | None = None,
        patience: float = _PATIENCE,
    ) -> Ran:
        """Run one command and return how it ended; one that hangs or cannot start has code -1.

        What a time-out ends is ended with all that it started.
        """
        settings = [part for each in _PLAIN for part in ("-c", each)]
        kept = _HANDED_ON.get()
        return self._run([*settings, *arguments], input, variables or {}, patience, kept)

    def ask_remote(self, *arguments: str, patience: float = _REMOTE_PATIENCE) -> Ran:
        """Run a command that speaks to another machine, with the user's hooks and SSH command.

        Nobody is asked for a password: it has no terminal, and a missing credential ends it. It is
        handed no lock: what keeps credentials may stay behind for hours.
        """
        ssh = {name: value for name, value in self._outer.items() if name in _TRANSPORT}
        if not ssh and not self.run("config", "core.sshCommand").text:
            ssh = {"GIT_SSH_COMMAND": "ssh -o BatchMode=yes"}
        ran = self._run(["-c", "gc.auto=0", "-c", _PATIENT, *arguments], b"", ssh, patience)
        return Ran(ran.code, ran.out, _without_credentials(ran.error))

    def _run(
        self,
        words: Sequence[str],
        input: bytes,
        variables: Mapping[str, str],
        patience: float,
        kept: Sequence[int] = (),
    ) -> Ran:
        command = next((word for word in words if word[0] != "-" and "=" not in word), "")
        try:
            process = subprocess.Popen(
                [self._program, *words],
                cwd=self.folder,
                env={**self._environment, **variables},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=kept,
            )
        except OSError as error:
            return Ran(-1, error=f"git cannot be run: {error.strerror or error}")
        with process:
            try:
                out, told = process.communicate(input, timeout=patience)
            except subprocess.TimeoutExpired:
                _end(process)
                return Ran(-1, error=f"git {command} took longer than {patience:g} seconds")
            except BaseException:
                _end(process)
                raise
        return Ran(process.returncode, out, " ".join(told.decode("utf-8", "replace").split()))


@contextmanager
def handing_on(lock: int) -> Iterator[None]:
    """Let each `git` that runs in the block hold the open file of a lock as well.

    A `git` goes on for a while when its caller is killed: whoever takes the lock then comes after
    it, and neither meets its lock files nor takes them away.
    """
    token = _HANDED_ON.set((*_HANDED_ON.get(), lock))
    try:
        yield
    finally:
        _HANDED_ON.reset(token)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command with what it started: a helper that goes on would keep the pipes open."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _without_credentials(told: str) -> str:
    return _CREDENTIALS.sub("://", told)


@lru_cache(maxsize=4)
def program_in(path: str) -> str:
    """Return the absolute path of `git` among the folders of `path`, empty where there is none."""
    found = shutil.which("git", path=path)
    return str(Path(found).absolute()) if found else ""
