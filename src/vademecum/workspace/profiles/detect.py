"""Which profile a directory has, by the names it holds; nothing is opened or written.

Rules in order, names compared without case:

1. `memory/index.md` with `memory/system/definition.md` or `instructions.prepend.md`: nanoclaw,
   unless core memory or a workbench lies at the root, then standard.
2. `memory/INDEX.md` with `NOW.md`, `memory/lessons/` or `memory/reflections/`: vault.
3. `MEMORY.md` and `memory-lint.json`, `policy/` or `memory/context/`, or at least two of the
   folders people, projects and decisions below `memory/` without any openclaw file: gitmem.
4. `SOUL.md`, `IDENTITY.md`, `BOOTSTRAP.md`, `HEARTBEAT.md`, `TOOLS.md` or `DREAMS.md` beside
   `MEMORY.md` or `memory/`: openclaw.
5. `NOW.md` with `memory/index.md`, or without `MEMORY.md` but with `AGENTS.md` or a dated log (a
   workspace of three files): standard.
6. `MEMORY.md`, or dated logs in `memory/`: openclaw, whose tree needs nothing else.
7. A map `memory/index.md` alone: standard.

What the verbs write into a workspace changes none of these answers.
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
_FLAT_LOGS, _FLAT_WORKBENCH = "logs", "context/now.md"
_GITMEM_FOLDERS = frozenset(("people", "projects", "decisions"))


_Spellings = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Names:
    """Names as they are spelled by casefolded names: of the root, of `memory`, of folders in it."""

    root: _Spellings
    memory: _Spellings
    system: _Spellings
    logs: Mapping[str, _Spellings]


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
    if "index.md" in memory and "instructions.prepend.md" in root:
        return NANOCLAW
    if "index.md" in memory and "definition.md" in names.system:
        return STANDARD if "memory.md" in root or "now.md" in root else NANOCLAW
    if _is_vault(root, memory):
        return VAULT
    if _is_gitmem(root, memory):
        return GITMEM
    if _OPENCLAW_FILES & root.keys() and ("memory.md" in root or "memory" in root):
        return OPENCLAW
    if _is_small(names):
        return STANDARD
    if "memory.md" in root or _dated(memory):
        return OPENCLAW
    return STANDARD if "index.md" in memory else None


def _is_vault(root: _Spellings, memory: _Spellings) -> bool:
    if "INDEX.md" not in memory.get("index.md", ()):
        return False
    return "now.md" in root or bool({"lessons", "reflections"} & memory.keys())


def _is_small(names: _Names) -> bool:
    root, memory = names.root, names.memory
    if "now.md" not in root:
        return False
    if "memory.md" in root:
        return "index.md" in memory
    return "agents.md" in root or _dated(root) or _dated(memory)


def _is_gitmem(root: _Spellings, memory: _Spellings) -> bool:
    if "memory.md" not in root:
        return False
    if "memory-lint.json" in root or "policy" in root or "context" in memory:
        return True
    return len(_GITMEM_FOLDERS & memory.keys()) >= 2 and not _OPENCLAW_FILES & root.keys()


def _dated(names: _Spellings) -> bool:
    return any(name.endswith(".md") and day_in_name(name) for name in names)


def _fitted(profile: Profile, names: _Names) -> Profile:
    if _is_flat(profile, names.root):
        profile = _flattened(profile)
    log_folder = profile.log_folder
    if not _dated(names.memory):
        found = [below for below, held in names.logs.items() if _dated(held)]
        log_folder = found[0] if found else "." if _dated(names.root) else log_folder
    return replace(
        profile,
        core_path=_spelled(profile.core_path, names),
        workbench_path=_spelled(profile.workbench_path, names),
        map_path=_spelled(profile.map_path, names),
        log_folder=log_folder,
    )


def _flattened(profile: Profile) -> Profile:
    """Return a profile for core memory with its topics beside it.

    Nothing that is written there may make it a tree of another kind: no file of a known name
    appears in the root, and no `memory/`.
    """

    def lifted(path: str) -> str:
        return path.removeprefix("memory/")

    return replace(
        profile,
        map_path="" if profile.map_path.startswith("memory/") else profile.map_path,
        note_folder=".",
        log_folder=_FLAT_LOGS,
        workbench_path=_FLAT_WORKBENCH,
        directives_path="",
        candidates_path=lifted(profile.candidates_path),
        archive_folder=lifted(profile.archive_folder),
        reflection_folder=lifted(profile.reflection_folder),
        reflection_paths=tuple(map(lifted, profile.reflection_paths)),
        other_folders=tuple(map(lifted, profile.other_folders)),
    )


def _is_flat(profile: Profile, root: _Spellings) -> bool:
    """Whether core memory lies there with notes beside it and nothing that an agent starts with."""
    known = {path.casefold() for path in (*profile.identity_paths, *profile.instruction_paths)}
    return "memory.md" in root and not root.keys() & {"memory", "now.md", *known}


def _spelled(path: str, names: _Names) -> str:
    """Return a path as it is spelled here; where both spellings are there, the profile's own."""
    folder, _, name = path.rpartition("/")
    held = names.memory if folder == "memory" else names.root if not folder else {}
    there = held.get(name.casefold(), ())
    spelled = name if name in there or not there else there[0]
    return f"{folder}/{spelled}" if folder else spelled


def _names(root: Path) -> _Names:
    memory = _listed(root / "memory")
    logs = {
        f"memory/{memory[name][0]}": _listed(root / "memory" / memory[name][0])
        for name in ("logs", "daily", "journal")
        if name in memory
    }
    return _Names(_listed(root), memory, _listed(root / "memory" / "system"), logs)


def _listed(folder: Path) -> _Spellings:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208  names are enough
    except OSError:
        return {}
    spelled: dict[str, tuple[str, ...]] = {}
    for name in names:
        folded = name.casefold()
        spelled[folded] = (*spelled.get(folded, ()), name)
    return spelled
