"""Where a workspace is, and where its state is kept."""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path

from vademecum.core.errors import InvalidConfiguration, WorkspaceNotFound
from vademecum.core.ids import text_digest
from vademecum.core.patterns import later
from vademecum.workspace import config
from vademecum.workspace.profiles import detect_profile

_ID = later(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z")
_NOT_IN_IDS = later(r"[^a-z0-9]+")
_OWNER_FILE = "root"
_HINT = "Make one with `vade init PATH`, or name it with --workspace or VADE_WORKSPACE."


def find_workspace(
    start: Path,
    named: str | None = None,
    variables: Mapping[str, str] | None = None,
    known: Collection[Path] = (),
) -> Path:
    """Return the real path of the workspace that a call is about.

    `named` (a flag) comes first, then VADE_WORKSPACE: any directory will do. Otherwise it is the
    nearest directory from `start` upwards that is one of `known`, holds a vade.toml or is
    recognised by a profile; one above `start` counts only when it is this user's or root's.
    Raises WorkspaceNotFound.
    """
    variables = config.environment() if variables is None else variables
    for source, path in (
        ("--workspace", named),
        ("VADE_WORKSPACE", variables.get("VADE_WORKSPACE")),
    ):
        if path:
            return _directory(path, source)
    here = start.resolve()
    for folder in (here, *here.parents):
        if folder != here and not _is_trusted(folder):
            break
        if folder in known or (folder / config.FILE).is_file() or detect_profile(folder):
            return folder
    raise WorkspaceNotFound(f"There is no workspace in {here} or above.", hint=_HINT)


def _directory(path: str, source: str) -> Path:
    try:
        folder = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkspaceNotFound(
            f"{source} names {path}, which is not there.", hint=_HINT
        ) from error
    if not folder.is_dir():
        raise WorkspaceNotFound(f"{source} names {path}, which is no directory.", hint=_HINT)
    return folder


def _is_trusted(folder: Path) -> bool:
    try:
        return folder.stat().st_uid in (0, os.getuid())
    except OSError:
        return False


def derived_id(root: Path) -> str:
    """Return the id of a workspace that names none, always the same for one real path."""
    name = unicodedata.normalize("NFKD", root.name).encode("ascii", "ignore").decode().lower()
    slug = _NOT_IN_IDS.sub("-", name).strip("-")[:40] or "workspace"
    return f"{slug}-{text_digest(str(root))[:10]}"


def workspace_id(root: Path, configured: str) -> str:
    """Return the id that is configured, else the derived one. Raises InvalidConfiguration."""
    if not configured:
        return derived_id(root)
    if not _ID.match(configured):
        raise InvalidConfiguration(
            f"The workspace at {root} has the id {configured!r}, which cannot name a directory.",
            hint="Use letters, digits, dots, dashes and underscores, at most 80.",
        )
    return configured


def state_of(root: Path, identity: str, home: Path, others: Collection[Path] = ()) -> Path:
    """Return the state directory of the workspace at `root`, and note there whose it is.

    A copy of a workspace brings the same id along. While the first one is still in its place, the
    copy gets a directory of its own, so that one never reads or writes the other's records; a
    workspace that was moved keeps its directory. Those of `others`, registered agents, are never
    taken over, also while they are out of reach.
    """
    state = home / identity
    owner = owner_of(state)
    if owner is None or owner == str(root):
        pass
    elif Path(owner) in others or _is_still_there(Path(owner), root):
        state = home / f"{identity}-{text_digest(str(root))[:8]}"
        owner = owner_of(state)
    if owner != str(root):
        _claim(state, root)
    return state


def owner_of(state: Path) -> str | None:
    """Return the root of the workspace whose state directory this is, None where none is noted."""
    try:
        return (state / _OWNER_FILE).read_text("utf-8", "surrogateescape").rstrip("\n") or None
    except OSError:
        return None


def _is_still_there(other: Path, root: Path) -> bool:
    try:
        return other.is_dir() and not other.samefile(root)
    except OSError:
        return False


def _claim(state: Path, root: Path) -> None:
    """Write whose state this is; where that cannot be written, whoever needs the state will say."""
    with contextlib.suppress(OSError):
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = state / f"{_OWNER_FILE}.{os.getpid()}"
        beside.write_text(f"{root}\n", "utf-8", "surrogateescape")
        beside.replace(state / _OWNER_FILE)
