"""Which registry has a workspace: noted in its state, for calls that look into another one.

A call with another home or configuration directory finds no agents, and would take a name that is
registered for one that nobody has.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path

from vademecum.agents import tables
from vademecum.agents.registry import read_registry, registry_file
from vademecum.core.errors import InvalidConfiguration, Sealed
from vademecum.workspace.places import owner_of

FILE = "registered"


def mark(state: Path, variables: Mapping[str, str] | None = None) -> None:
    """Note in a state directory which registry its workspace is in; read only, it goes without."""
    written = str(registry_file(variables).absolute())
    if _read(state) == written:
        return
    beside = state / f"{FILE}.{os.getpid()}"
    with contextlib.suppress(OSError):
        beside.write_text(f"{written}\n", "utf-8", "surrogateescape")
        beside.replace(state / FILE)


def check_mark(
    root: Path, state: Path, name: str, variables: Mapping[str, str] | None = None
) -> None:
    """Let a name that the registry of this call does not know open the workspace at `root`.

    Raises Sealed where it is an agent's by another registry, or that one cannot be understood.
    """
    written = _read(state)
    if not written or Path(written) == registry_file(variables).absolute():
        return
    try:
        text = tables.text_in(Path(written))
        owned = bool(read_registry(text, Path(written)).at(root))
    except InvalidConfiguration:
        owned = True
    if owned:
        raise Sealed(
            f"{root} is the memory of an agent by {written}, where this call as {name} did not "
            "look.",
            hint="Start it with the HOME and XDG_CONFIG_HOME with which the agent was registered.",
        )


def marked(homes: Collection[Path]) -> frozenset[Path]:
    """Return the workspaces with their state in one of these directories that an agent has or had.

    Removing an agent leaves its memory, and this note of it, where they are.
    """
    found: set[Path | None] = set()
    for home in homes:
        with contextlib.suppress(OSError):
            found |= {marked_at(state) for state in home.iterdir()}
    return frozenset(root for root in found if root is not None)


def marked_at(state: Path) -> Path | None:
    """Return the workspace that an agent has or had and whose state directory this is."""
    root = owner_of(state) if _read(state) else None
    return None if root is None else Path(root)


def _read(state: Path) -> str:
    try:
        return (state / FILE).read_text("utf-8", "surrogateescape").rstrip("\n")
    except OSError:
        return ""
