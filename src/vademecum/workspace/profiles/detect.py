"""Which profile a directory has, by the names it holds; nothing is opened or written.

Rules in order, names compared without case:

1. `memory/system/definition.md` and a map: nanoclaw, unless core memory or a workbench lies at the
   root, then standard.
2. `NOW.md` and `memory/INDEX.md`: vault.
3. `MEMORY.md` and `memory-lint.json`, `policy/` or `memory/context/`, or at least two of the
   folders people, projects and decisions below `memory/` without any openclaw file: gitmem.
4. `SOUL.md`, `IDENTITY.md`, `BOOTSTRAP.md`, `HEARTBEAT.md`, `TOOLS.md` or `DREAMS.md` beside
   `MEMORY.md` or `memory/`: openclaw.
5. `NOW.md` with `AGENTS.md` or a dated log (a workspace of three files): standard.
6. `MEMORY.md`, or dated logs in `memory/`: openclaw, whose tree needs nothing else.
7. A map `memory/index.md` alone: standard.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.markdown.days import day_in_name
from vademecum.workspace.profiles.known import GITMEM, NANOCLAW, OPENCLAW, STANDARD, VAULT
from vademecum.workspace.profiles.profile import Profile

_OPENCLAW_FILES = frozenset(
    ("soul.md", "identity.md", "bootstrap.md", "heartbeat.md", "tools.md", "dreams.md")
)
_GITMEM_FOLDERS = frozenset(("people", "projects", "decisions"))


@dataclass(frozen=True, slots=True)
class _Names:
    """Spelled names by casefolded names, of the root and of its `memory` folder."""

    root: Mapping[str, str]
    memory: Mapping[str, str]
    system: Mapping[str, str]


def detect_profile(root: Path) -> Profile | None:
    """Return the profile of the workspace at `root`, with this workspace's own spellings.

    None where nothing says that the directory is memory, or where it cannot be listed.
    """
    names = _names(root)
    profile = _recognised(names)
    return _fitted(profile, names) if profile is not None else None


def fit_profile(profile: Profile, root: Path) -> Profile:
    """Return a named profile with the spellings and the log folder that `root` really has."""
    return _fitted(profile, _names(root))


def _recognised(names: _Names) -> Profile | None:
    root, memory = names.root, names.memory
    if "index.md" in memory and "definition.md" in names.system:
        return STANDARD if "memory.md" in root or "now.md" in root else NANOCLAW
    if "now.md" in root and memory.get("index.md") == "INDEX.md":
        return VAULT
    if _is_gitmem(root, memory):
        return GITMEM
    if _OPENCLAW_FILES & root.keys() and ("memory.md" in root or "memory" in root):
        return OPENCLAW
    if "now.md" in root and ("agents.md" in root or _dated(root) or _dated(memory)):
        return STANDARD
    if "memory.md" in root or _dated(memory):
        return OPENCLAW
    return STANDARD if "index.md" in memory else None


def _is_gitmem(root: Mapping[str, str], memory: Mapping[str, str]) -> bool:
    if "memory.md" not in root:
        return False
    if "memory-lint.json" in root or "policy" in root or "context" in memory:
        return True
    return len(_GITMEM_FOLDERS & memory.keys()) >= 2 and not _OPENCLAW_FILES & root.keys()


def _dated(names: Mapping[str, str]) -> bool:
    return any(name.endswith(".md") and day_in_name(name) for name in names)


def _fitted(profile: Profile, names: _Names) -> Profile:
    log_folder, note_folder = profile.log_folder, profile.note_folder
    if "memory.md" in names.root and not names.root.keys() & {"memory", "now.md"}:
        note_folder = "."  # core memory with its topics beside it
    if not _dated(names.memory) and _dated(names.root):
        log_folder = "."
    return replace(
        profile,
        core_path=_spelled(profile.core_path, names),
        workbench_path=_spelled(profile.workbench_path, names),
        map_path=_spelled(profile.map_path, names),
        log_folder=log_folder,
        note_folder=note_folder,
    )


def _spelled(path: str, names: _Names) -> str:
    folder, _, name = path.rpartition("/")
    held = names.memory if folder == "memory" else names.root
    spelled = held.get(name.casefold(), name)
    return f"{folder}/{spelled}" if folder else spelled


def _names(root: Path) -> _Names:
    return _Names(_listed(root), _listed(root / "memory"), _listed(root / "memory" / "system"))


def _listed(folder: Path) -> Mapping[str, str]:
    try:
        names = sorted(os.listdir(folder), reverse=True)  # noqa: PTH208  names are enough
    except OSError:
        return {}
    return {name.casefold(): name for name in names}
