"""The token that a program on this machine shows before it may speak to memory over HTTP."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from vademecum.core.errors import StateUnwritable
from vademecum.core.frozen import dataclass
from vademecum.service.opening import caller_of, workspace_of

_FILE = "access-token"
_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Access:
    """The token and the file that it is in, which only its owner can read."""

    token: str
    file: str


def access(
    root: str | Path | None = None,
    *,
    agent: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Access:
    """Return the token that opens the memory at `root`, made at the first call.

    The workspaces of a registered agent have one of their own in their state directory, so that
    one agent's token opens no other's server. All others share that of this installation, which
    lies beside their state. One that others could read, or that somebody else put there, is
    replaced. Raises WorkspaceNotFound, Sealed, StateUnwritable.
    """
    caller = caller_of(root, agent, variables)
    opened = workspace_of(caller)
    home = opened.state if caller.is_registered() else opened.state.parent
    file = home / _FILE
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        token = _read(file)
        if token is None:
            _make(file)
            token = _read(file)
    except OSError as error:
        raise StateUnwritable(
            f"The access token {file} cannot be written or read: {error.strerror}.",
            hint="Check the permissions of the state directory.",
        ) from error
    if not token:
        raise StateUnwritable(f"The access token {file} keeps changing.", hint="Try again.")
    return Access(token, str(file))


def _read(file: Path) -> str | None:
    """Return the token; None where there is none, or one that is not ours alone."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError:  # a link, which is replaced
        return None
    with os.fdopen(handle, "rb") as opened:
        found = os.fstat(opened.fileno())
        if found.st_mode & _OTHERS or found.st_uid != os.getuid():
            return None
        token = opened.read(1024).decode("ascii", "replace").strip()
    return token if len(token) >= _BYTES else None


def _make(file: Path) -> None:
    """Write a new token in one step; where two servers do so at once, the first one's stands."""
    import secrets  # noqa: PLC0415  an existing token goes without

    beside = file.with_name(f"{_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(_BYTES) + "\n")
        _put(beside, file)
    finally:
        with suppress(FileNotFoundError):
            beside.unlink()


def _put(beside: Path, file: Path) -> None:
    try:
        os.link(beside, file)
    except FileExistsError:
        if _read(file) is None:  # unfit, not another server's
            beside.replace(file)
