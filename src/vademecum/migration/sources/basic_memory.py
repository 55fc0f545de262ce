"""basic-memory: notes with a permalink, observations and relations."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin, Treatment
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.taking import (
    Sorted,
    Taken,
    head_of,
    is_markdown,
    no_note,
    type_of_folder,
)

_PROBES = 30


def is_basic_memory(tree: Tree) -> bool:
    """Whether its notes carry permalinks."""
    notes = [item.path for item in tree.items if is_markdown(item)][:_PROBES]
    return any(head_of(tree, path).text("permalink") for path in notes)


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield every note at its own path; what is observed in it becomes claims as it is written."""
    for item in tree.items:
        yield no_note(item, origin) or Taken(
            item.path, origin, Treatment.WHOLE, type=type_of_folder(item.path)
        )
