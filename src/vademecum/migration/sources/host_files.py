"""`CLAUDE.md`, `CLAUDE.local.md`, `.seed.md`, `AGENTS.md`: what a person wrote for an agent."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.migration import Origin, Treatment
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.pieces import GENERATED
from vademecum.migration.sources.taking import Taken

_NAMES = {
    "claude.md": Origin.CLAUDE_MD,
    "claude.local.md": Origin.CLAUDE_LOCAL,
    ".seed.md": Origin.SEED,
    "instructions.prepend.md": Origin.SEED,
    "agents.md": Origin.AGENTS_MD,
}
_FOLDERS = ("", ".claude/")


def origin_of(item: Item) -> Origin | None:
    """Return which of these files lies there: in the root of a tree or in its `.claude/`."""
    folder = item.path[: -len(item.name)]
    if folder == ".claude/rules/" and item.name.endswith(".md"):
        return Origin.CLAUDE_MD
    return _NAMES.get(item.name.casefold()) if folder in _FOLDERS else None


def sort(tree: Tree) -> Iterator[Taken]:
    """Yield these files of a tree; one that a program composed from others is generated text."""
    for item in tree.items:
        origin = origin_of(item)
        if origin is None:
            continue
        composed = tree.read(item.path, 4096).lstrip(b"\xef\xbb\xbf \t\r\n")
        generated = composed.startswith(GENERATED.encode())
        treatment = Treatment.GENERATED if generated else Treatment.SPLIT
        yield Taken(item.path, origin, treatment, host_owned=True)
