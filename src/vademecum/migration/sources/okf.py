"""A bundle of the Open Knowledge Format, anybody's or one that `vade export` wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vademecum.core.errors import Unreadable, VademecumError
from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.core.roles import Role
from vademecum.markdown.okf import declared_version
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.receipt import NAME, Receipt, Row, read_receipt
from vademecum.migration.sources.profile_tree import taken_by_role
from vademecum.migration.sources.taking import (
    IMPORTED,
    Sorted,
    Taken,
    head_of,
    is_markdown,
    no_note,
    type_of_folder,
)
from vademecum.workspace.profiles import Profile, fit_profile, profile_named
from vademecum.workspace.workspace import Workspace

_PROBES = 30
_MOST_WITHOUT = 0.1
"""Share of notes without a type up to which a folder is a bundle whose index says nothing of it."""
_HEAD = 4096
_GOING_BACK = (
    Role.CORE,
    Role.WORKBENCH,
    Role.IDENTITY,
    Role.INSTRUCTIONS,
    Role.DOCTRINE,
    Role.CANDIDATES,
)


def receipt_in(tree: Tree, workspace: Workspace | None = None) -> Receipt | None:
    """Return what an export says of itself, None for what is none.

    It is sealed only as the `workspace` sees it.
    """
    try:
        receipt = read_receipt(tree.read(NAME), workspace)
    except Unreadable:
        return None
    return receipt if receipt is not None and receipt.form != "json" else None


def is_declared(tree: Tree) -> bool:
    """Whether an index in the root declares a version of the format."""
    if all(item.path != "index.md" for item in tree.items):
        return False
    head = tree.read("index.md", _HEAD).decode("utf-8", "replace").lstrip("\ufeff")
    return bool(declared_version(head))


def is_bundle(tree: Tree) -> bool:
    """Whether an index lies in the root, or in a folder, and the notes have types."""
    notes = [item for item in tree.items if is_markdown(item)]
    indexes = [item for item in notes if item.name == "index.md"]
    probed = [item for item in notes if item.name not in ("index.md", "log.md")][:_PROBES]
    if not indexes or not probed:
        return False
    without = sum(1 for item in probed if not head_of(tree, item.path).text("type"))
    return without <= _MOST_WITHOUT * len(probed)


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield every concept at its own path, indexes as maps.

    Of an export each note goes back to where it was, and what was made for the export stays away.
    """
    receipt = receipt_in(tree)
    if receipt is None:
        for item in tree.items:
            yield _foreign(item, origin)
        return
    profile = _profile_of(receipt, tree)
    for item in tree.items:
        row = receipt.rows.get(item.path)
        if row is None:
            yield _foreign(item, origin)
        else:
            yield _returned(tree, item, row, origin, profile)


def _foreign(item: Item, origin: Origin) -> Sorted:
    if passed := no_note(item, origin):
        return passed
    if item.name == "index.md":
        folder = item.path[: -len(item.name)].replace("/", "-")
        return Taken(item.path, origin, Treatment.MAP, to=f"{IMPORTED}/{folder}index.md")
    return Taken(item.path, origin, Treatment.WHOLE, type=type_of_folder(item.path))


def _returned(tree: Tree, item: Item, row: Row, origin: Origin, profile: Profile) -> Sorted:
    if not row.source:
        made = tree.digest(item.path) == row.digest
        treatment = Treatment.GENERATED if made else Treatment.MAP
        return Taken(item.path, origin, treatment, to=f"{IMPORTED}/{item.name}")
    role = profile.role_of(row.source)
    one = taken_by_role(Item(row.source, item.size), origin, profile)
    if isinstance(one, Passed):
        return replace(one, path=item.path)
    if role in _GOING_BACK and row.source != profile.map_path:
        name = row.source.rpartition("/")[2].casefold()
        aside = f"{IMPORTED}/{name}"
        return Taken(item.path, origin, Treatment.WHOLE, aside, back=row.source)
    if one.treatment is Treatment.WHOLE and not one.to:
        one = replace(one, to=row.source)
    return replace(one, path=item.path)


def _profile_of(receipt: Receipt, tree: Tree) -> Profile:
    try:
        named = profile_named(receipt.profile)
    except VademecumError:
        named = profile_named("standard")
    return fit_profile(named, tree.root)
