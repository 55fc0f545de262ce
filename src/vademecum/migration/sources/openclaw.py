"""An openclaw workspace: curated `MEMORY.md`, daily notes, free files below `memory/`."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.profile_tree import sort_by_role
from vademecum.migration.sources.taking import Sorted
from vademecum.workspace.profiles import fit_profile, profile_named


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield its files by role; `USER.md` is the agent's and holds directives with their days."""
    return sort_by_role(tree, origin, fit_profile(profile_named("openclaw"), tree.root))
