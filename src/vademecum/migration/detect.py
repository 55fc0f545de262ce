"""What a source is: every memory found in it, and for each of its files how it is taken.

Rules for a directory, in order: an export of this product; auto-memory of Claude Code; a Letta
MemFS; a nanoclaw tree; exports of providers; a bundle whose index declares its version; a tree that
a profile recognises; notes of basic-memory; indexes and notes with types, which are a bundle; where
none of these lies in its root, all that lie deeper; else a folder of Markdown. What hosts load
(`CLAUDE.md`, …) is found in the root beside any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vademecum.core.errors import NotFound
from vademecum.core.frozen import dataclass
from vademecum.core.migration import Discovered, Origin, Passed, Treatment
from vademecum.markdown.days import day_in_name
from vademecum.migration.inventory import ANOTHER_WORKSPACE, Tree
from vademecum.migration.sources import (
    auto_memory,
    basic_memory,
    exports,
    gitmem,
    host_files,
    letta,
    markdown_folder,
    nanoclaw,
    okf,
    openclaw,
    standard,
    vault,
)
from vademecum.migration.sources.taking import Sort, Sorted, Taken, is_markdown
from vademecum.workspace.profiles import detect_profile

_SORTS: dict[Origin, Sort] = {
    Origin.AUTO_MEMORY: auto_memory.sort,
    Origin.LETTA: letta.sort,
    Origin.NANOCLAW: nanoclaw.sort,
    Origin.OPENCLAW: openclaw.sort,
    Origin.VAULT: vault.sort,
    Origin.GITMEM: gitmem.sort,
    Origin.STANDARD: standard.sort,
    Origin.BASIC_MEMORY: basic_memory.sort,
    Origin.OKF: okf.sort,
    Origin.MEM0: exports.sort,
    Origin.CHATGPT: exports.sort,
    Origin.MARKDOWN: markdown_folder.sort,
}
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Detected:
    """What a source holds: the memories found, the files to take, and what is passed over."""

    found: tuple[Discovered, ...]
    taken: tuple[Taken, ...]
    passed: tuple[Passed, ...]


def detect(tree: Tree, *, one_file: bool = False) -> Detected:
    """Return what lies in `tree`; nothing is changed. Raises NotFound where there is no memory."""
    found: list[Discovered] = []
    sorted_all: list[Sorted] = []
    for folder, origin, each in _file(tree) if one_file else _folder(tree):
        held = list(each)
        count = sum(isinstance(one, Taken) for one in held)
        if count:
            found.append(Discovered(origin, folder, count))
        sorted_all += held
    taken = [one for one in sorted_all if isinstance(one, Taken)]
    if not taken:
        inner = [one.path for one in tree.passed if one.reason == ANOTHER_WORKSPACE]
        raise NotFound(
            f"There is no memory in {tree.root}.",
            hint=f"A workspace in it is moved by itself: name {tree.root / inner[0]}."
            if inner
            else "Name a CLAUDE.md, a folder of notes, a workspace or an export in JSON.",
        )
    passed = [one for one in sorted_all if isinstance(one, Passed)]
    return Detected(tuple(found), tuple(taken), (*tree.passed, *passed))


def _file(tree: Tree) -> Iterator[tuple[str, Origin, Iterator[Sorted]]]:
    item = tree.items[0]
    host = host_files.origin_of(item)
    if host is not None:
        yield "", host, iter(list(host_files.sort(tree)))
    elif exported := exports.origin_of(tree, item):
        yield "", exported, exports.sort(tree, exported)
    elif item.name == "MEMORY.md":
        yield "", Origin.OPENCLAW, iter([Taken(item.path, Origin.OPENCLAW, Treatment.SPLIT)])
    elif is_markdown(item):
        day = day_in_name(item.name) if item.name[:4].isdigit() else None
        treatment = Treatment.LOG if day else Treatment.WHOLE
        named = day.isoformat() if day else ""
        yield "", Origin.MARKDOWN, iter([Taken(item.path, Origin.MARKDOWN, treatment, day=named)])


def _folder(tree: Tree) -> Iterator[tuple[str, Origin, Iterator[Sorted]]]:
    """Yield each memory: its folder, what it is, and its files."""
    inner = [folder for folder in _auto_folders(tree) if folder]
    rest = _without(tree, inner)
    for folder in inner:
        yield folder, Origin.AUTO_MEMORY, _below(tree, folder, Origin.AUTO_MEMORY)
    root = _kind_of(rest, "")
    exported = root is Origin.OKF and okf.receipt_in(rest) is not None
    hosts = [] if exported else list(host_files.sort(rest))
    for origin in dict.fromkeys(one.origin for one in hosts):
        yield "", origin, iter([one for one in hosts if one.origin is origin])
    if root is not None:
        yield "", root, _SORTS[root](rest, root)
        return
    deeper = list(_deeper(rest))
    for folder, origin in deeper:
        below = rest.below(folder)
        yield folder, origin, _rebased(folder, host_files.sort(below))
        yield folder, origin, _below(rest, folder, origin)
    left = _without(rest, [folder for folder, _ in deeper]) if deeper else rest
    yield "", Origin.MARKDOWN, markdown_folder.sort(left, Origin.MARKDOWN)


def _kind_of(tree: Tree, path: str) -> Origin | None:
    """Return what a folder is by itself, None where it is nothing in particular."""
    if okf.receipt_in(tree) is not None:
        return Origin.OKF
    placed = path.endswith("/memory") and "projects/" in path
    if auto_memory.is_auto_memory(tree, placed=placed):
        return Origin.AUTO_MEMORY
    if letta.is_letta(tree):
        return Origin.LETTA
    if nanoclaw.is_bare_tree(tree):
        return Origin.NANOCLAW
    if exports.holds_export(tree):
        return Origin.CHATGPT
    if okf.is_declared(tree):
        return Origin.OKF
    profile = detect_profile(tree.root)
    names = {item.path for item in tree.items}
    if profile is not None and any(name.endswith(".md") for name in names):
        return Origin(profile.name)
    if basic_memory.is_basic_memory(tree):
        return Origin.BASIC_MEMORY
    return Origin.OKF if okf.is_bundle(tree) else None


def _auto_folders(tree: Tree) -> list[str]:
    """Return the folders of auto-memory where Claude Code and nanoclaw keep them."""
    indexes = [item.path for item in tree.items if item.path.endswith("/memory/MEMORY.md")]
    folders = [path.removesuffix("/MEMORY.md") for path in indexes]
    return [f for f in folders if auto_memory.is_auto_memory(tree.below(f), placed=_is_placed(f))]


def _is_placed(folder: str) -> bool:
    parts = folder.split("/")
    return parts[-3:-2] == ["projects"] or ".claude" in parts or ".claude-shared" in parts


def _deeper(tree: Tree) -> Iterator[tuple[str, Origin]]:
    """Yield the folders below that are a memory of some kind, the outermost only."""
    folders = {""}
    for item in tree.items:
        parts = item.path.split("/")[:-1]
        folders |= {"/".join(parts[:depth]) for depth in range(1, min(len(parts), _DEEPEST) + 1)}
    taken: list[str] = []
    for folder in sorted(folders - {""}, key=lambda path: (path.count("/"), path)):
        if any(folder.startswith(f"{outer}/") for outer in taken):
            continue
        below = tree.below(folder)
        if folder.rpartition("/")[2] == "memory" and not nanoclaw.is_bare_tree(below):
            continue  # the folder above is the one
        origin = _kind_of(below, folder)
        if origin is Origin.OKF and not okf.is_declared(below):
            continue  # folders of notes with types are common
        if origin is not None and origin is not Origin.BASIC_MEMORY:
            taken.append(folder)
            yield folder, origin


def _below(tree: Tree, folder: str, origin: Origin) -> Iterator[Sorted]:
    return _rebased(folder, _SORTS[origin](tree.below(folder), origin))


def _rebased(folder: str, each: Iterator[Sorted]) -> Iterator[Sorted]:
    """Yield the same with paths from the root of the source; where they go stays."""
    for one in each:
        inner = one.path
        if isinstance(one, Taken) and one.treatment is Treatment.WHOLE and not one.to:
            one = replace(one, to=inner)
        yield replace(one, path=f"{folder}/{inner}")


def _without(tree: Tree, folders: list[str]) -> Tree:
    heads = tuple(f"{folder}/" for folder in folders)
    items = tuple(item for item in tree.items if not item.path.startswith(heads))
    return Tree(tree.root, items if heads else tree.items, tree.passed, tree.odd)
