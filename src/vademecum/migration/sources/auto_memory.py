"""Claude Code's auto-memory: an index `MEMORY.md` and one file a memory beside it."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin, Treatment
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.taking import Sorted, Taken, head_of, is_markdown, no_note

TYPES = frozenset({"user", "feedback", "project", "reference"})
_FOLDERS = {
    "user": "preferences",
    "feedback": "lessons",
    "project": "projects",
    "reference": "facts",
}
_PROBES = 12


def is_auto_memory(tree: Tree, *, placed: bool) -> bool:
    """Whether a folder is one: an index, and topics that carry one of its two frontmatters.

    `placed` says that it lies where Claude Code keeps it: the index alone is enough then.
    """
    names = {item.path for item in tree.items}
    if "MEMORY.md" not in names or any(name.startswith("memory/") for name in names):
        return False
    if placed:
        return True
    topics = [item.path for item in tree.items if is_markdown(item) and "/" not in item.path]
    probed = [path for path in topics if path != "MEMORY.md"][:_PROBES]
    return any(_type_of(tree, path) for path in probed)


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield the index as a map, and each topic as a note: its type chooses the folder."""
    for item in tree.items:
        if passed := no_note(item, origin):
            yield passed
        elif item.path == "MEMORY.md":
            yield Taken(item.path, origin, Treatment.MAP, to="imported/claude-memory.md")
        else:
            found = _type_of(tree, item.path)
            folder = _FOLDERS.get(found, "facts")
            # Its name stays: other memories link to it by that.
            yield Taken(item.path, origin, Treatment.WHOLE, f"{folder}/{item.name}", type=found)


def _type_of(tree: Tree, path: str) -> str:
    properties = head_of(tree, path)
    found = properties.text("type") or properties.text("metadata.type")
    named = bool(properties.text("name") or properties.text("description"))
    return found if found in TYPES and named else ""
