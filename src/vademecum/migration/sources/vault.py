"""A three-tier vault: `NOW.md`, daily logs, and typed folders behind `memory/INDEX.md`."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.profile_tree import Habits, sort_by_role
from vademecum.migration.sources.taking import Sorted
from vademecum.workspace.profiles import fit_profile, profile_named


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield its files by role; a `MEMORY.md` there only points to the index."""
    profile = fit_profile(profile_named("vault"), tree.root)
    return sort_by_role(tree, origin, profile, Habits(core_is_map=True))
