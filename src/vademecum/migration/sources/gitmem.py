"""A gitmem repository: tagged facts in people, projects and decisions, routed by `MEMORY.md`."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.profile_tree import Habits, sort_by_role
from vademecum.migration.sources.taking import Sorted
from vademecum.workspace.profiles import fit_profile, profile_named


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield its files by role; `policy/` is what the operator laid down."""
    profile = fit_profile(profile_named("gitmem"), tree.root)
    return sort_by_role(tree, origin, profile, Habits(core_is_map=True, rules=("policy/",)))
