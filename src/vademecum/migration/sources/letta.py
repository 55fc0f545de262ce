"""Letta MemFS: blocks with a description, pinned ones in `system/`; both versions of it."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.taking import Sorted, Taken, head_of, is_markdown, no_note

CONFIGURATION = ".memfs.config.json"
_PROBES = 12


def is_letta(tree: Tree) -> bool:
    """Whether a tree is one: by its configuration, or by described blocks in `system/`."""
    names = {item.path for item in tree.items}
    if CONFIGURATION in names:
        return True
    if "system/definition.md" in names or "index.md" in names:
        return False
    pinned = [i.path for i in tree.items if i.path.startswith("system/") and is_markdown(i)]
    return any(head_of(tree, path).text("description") for path in pinned[:_PROBES])


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield each block as a note; `MEMORY.md` of a folder leads to them.

    What an agent keeps of itself in pinned blocks is its own memory, no instruction of a person.
    """
    for item in tree.items:
        if item.path == CONFIGURATION:
            yield Passed(item.path, "configuration of a program")
        elif item.path.startswith("skills/"):
            yield Passed(item.path, "a skill, which belongs to its host")
        elif passed := no_note(item, origin):
            yield passed
        elif item.name == "MEMORY.md":
            folder = item.path.removesuffix("MEMORY.md").replace("/", "-")
            yield Taken(item.path, origin, Treatment.MAP, to=f"imported/{folder}memory.md")
        else:
            pinned = item.path.startswith("system/") or "/" not in item.path
            to = f"core-memory/{item.path.removeprefix('system/')}" if pinned else ""
            yield Taken(item.path, origin, Treatment.WHOLE, to)
