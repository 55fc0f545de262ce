"""Checks of configuration and system: what memory needs around it to work as it should."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import Purpose
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.workspace.git import repository_of
from vademecum.writing.commit import hindrance, is_set_up, waiting

_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")


def zone(patient: Patient) -> Iterator[Finding]:
    """A workspace without a time zone: its days depend on the machine."""
    here = patient.workspace.zone.key
    if not patient.workspace.settings.workspace.zone:
        yield Finding(
            "zone-unset",
            Severity.NOTICE,
            "workspace.zone",
            f"No time zone is set, so days are those of this machine ({here}).",
            f'Add to vade.toml, below [workspace]: zone = "{here}"',
        )


def exposed_key(patient: Patient) -> Iterator[Finding]:
    """A configuration file with an API key that others on this machine can read."""
    origin = patient.workspace.settings.origins.get("embedder.api_key", "")
    if not origin.startswith("/"):
        return
    mode = Path(origin).stat().st_mode
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield Finding(
            "key-exposed",
            Severity.DEFECT,
            origin,
            "The file holds an API key, and other users of this machine may read it.",
            f"chmod 600 {origin}",
        )


def state_directory(patient: Patient) -> Iterator[Finding]:
    """A state directory that cannot be written: no index, no ledger, no undo."""
    state = patient.workspace.state
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=state) as file:
            file.write(b"vademecum")
            file.flush()
    except OSError as error:
        yield Finding(
            "state-unwritable",
            Severity.DEFECT,
            str(state),
            f"The state directory cannot be written: {error.strerror or error}.",
            "Free some space there, or name another place with VADE_STATE_DIRECTORY."
            if error.errno in (errno.ENOSPC, errno.EDQUOT)
            else "Make it writable for this user, or name another one with VADE_STATE_DIRECTORY.",
        )


def embedder(patient: Patient) -> Iterator[Finding]:
    """An embedder that does not answer: search goes on by words only."""
    found = patient.parts.embedder
    if found is None:
        return
    try:
        found.embed(["vademecum"], Purpose.QUERY)
    except EmbedderUnavailable as error:
        yield Finding(
            "embedder-unavailable",
            Severity.DEFECT,
            f"embedder.provider = {found.identity.provider}",
            str(error),
            error.hint or "Choose another embedder.provider; `none` searches by words only.",
        )


def vector_search(patient: Patient) -> Iterator[Finding]:
    """A system where vectors cannot be searched."""
    if patient.parts.embedder is not None and (reason := patient.parts.why_no_vectors()):
        yield Finding(
            "vector-search-unavailable",
            Severity.DEFECT,
            "sqlite-vec",
            f"Vectors cannot be searched here: {reason}.",
            "Install the package sqlite-vec for this platform; words are searched meanwhile.",
        )


def watching(patient: Patient) -> Iterator[Finding]:
    """A system that cannot tell about changes; only `vade watch` needs that."""
    reason = "" if find_spec("watchfiles") else "the package watchfiles is not installed"
    folders = 1 + len({path.rpartition("/")[0] for path in patient.scan.files})
    if not reason and os.access(_WATCHES, os.R_OK):
        allowed = int(_WATCHES.read_text())
        if allowed < 2 * folders:
            reason = f"the system allows {allowed:,} watches, and there are {folders:,} folders"
    if reason:
        yield Finding(
            "watcher-unavailable",
            Severity.NOTICE,
            "watchfiles",
            f"`vade watch` would have to look for changes by itself: {reason}.",
            "Nothing has to be done: searching notices changes without a watcher.",
        )


def git_backlog(patient: Patient) -> Iterator[Finding]:
    """Writes that a repository out of order keeps from being committed."""
    left = waiting(patient.workspace) if is_set_up(patient.workspace) else 0
    if not left:
        return
    why = hindrance(patient.workspace, repository_of(patient.workspace.root))
    if why:
        yield Finding(
            "git-waiting",
            Severity.NOTICE,
            str(patient.workspace.root),
            f"{left:,} writes are on disk and not in Git yet: {why}.",
            "Bring the repository in order; then `vade git commit`, or the next write, does it.",
        )


SURROUNDINGS_CHECKS = (
    zone,
    exposed_key,
    state_directory,
    embedder,
    vector_search,
    watching,
    git_backlog,
)
"""Every check of configuration and system."""
