"""A nanoclaw memory tree, or the folder of the group that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vademecum.core.migration import Origin
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.sources.profile_tree import sort_by_role
from vademecum.migration.sources.taking import Sorted
from vademecum.workspace.profiles import fit_profile, profile_named


def is_bare_tree(tree: Tree) -> bool:
    """Whether `tree` is the folder `memory` itself, without the group around it."""
    names = {item.path.casefold() for item in tree.items}
    return {"index.md", "system/definition.md"} <= names


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield its files by role: the map with core memory in it, doctrine, concepts, hygiene log."""
    profile = fit_profile(profile_named("nanoclaw"), tree.root)
    if not is_bare_tree(tree):
        yield from sort_by_role(tree, origin, profile)
        return
    head = "memory/"
    within = Tree(tree.root, tuple(Item(head + item.path, item.size) for item in tree.items))
    for sorted_one in sort_by_role(within, origin, profile):
        yield replace(sorted_one, path=sorted_one.path.removeprefix(head))
