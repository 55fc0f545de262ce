"""Frontmatter in three versions, merged key by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from vademecum.core.frozen import dataclass
from vademecum.core.notes import PropertyValue
from vademecum.markdown.frontmatter import set_value
from vademecum.markdown.lines import split
from vademecum.markdown.merge.versions import Version
from vademecum.markdown.properties import read_properties
from vademecum.markdown.scalars import is_date

Block: TypeAlias = tuple[str, ...]
"""The lines of one key."""
_LATER = frozenset({"last_verified", "modified", "updated", "until"})
_EARLIER = frozenset({"created", "since"})


@dataclass(frozen=True, slots=True)
class Head:
    """Merged frontmatter, and what of the other side found no place in it."""

    lines: tuple[str, ...]
    lost: tuple[tuple[str, Block], ...] = ()
    """Keys of which both sides have another value, with the lines of theirs; an empty key is all
    of a frontmatter that cannot be read."""


def merge_heads(base: Version, ours: Version, theirs: Version) -> Head:
    """Return the frontmatter that both sides come to.

    A key that one side changed is as that side has it. Where both changed it, days of verification
    are the later, lists are united, and `status: conflict` stays; of anything else ours stands and
    theirs is in `lost`.
    """
    if ours.head == theirs.head or theirs.head == base.head:
        return Head(ours.head)
    if ours.head == base.head:
        return Head(theirs.head)
    if base.defect or ours.defect or theirs.defect or not (ours.head and theirs.head):
        return _whole(ours, theirs)
    return _by_key(base, ours, theirs)


def _whole(ours: Version, theirs: Version) -> Head:
    if not ours.head or not theirs.head:
        return Head(ours.head or theirs.head)
    return Head(ours.head, (("", theirs.head[1:-1]),))


def _by_key(base: Version, ours: Version, theirs: Version) -> Head:
    old, mine, yours = blocks(base.head), blocks(ours.head), blocks(theirs.head)
    kept: dict[str, Block] = {}
    lost: list[tuple[str, Block]] = []
    for key in _order(mine, yours):
        b, o, t = old.get(key), mine.get(key), yours.get(key)
        if o == t or t == b:
            chosen = o
        elif o == b:
            chosen = t
        elif o is None or t is None:
            chosen = o or t  # one side removed what the other changed
        else:
            chosen = _both(key, b, o, t)
            if chosen is None:
                chosen = o
                lost.append((key, t))
        if chosen is not None:
            kept[key] = chosen
    lines = [ours.head[0], *(line for block in kept.values() for line in block), ours.head[-1]]
    return Head(tuple(lines), tuple(lost))


def _both(key: str, base: Block | None, ours: Block, theirs: Block) -> Block | None:
    """Return what stands for a key that both sides changed, None where nothing says which."""
    mine, yours = _value(key, ours), _value(key, theirs)
    if mine == yours:
        return ours
    if isinstance(mine, str) and isinstance(yours, str):
        if key == "status" and "conflict" in (mine, yours):
            return ours if mine == "conflict" else theirs
        if key in _LATER | _EARLIER and is_date(mine[:10]) and is_date(yours[:10]):
            return ours if (mine > yours) == (key in _LATER) else theirs
        return None
    if isinstance(mine, tuple) and isinstance(yours, tuple):
        before = _value(key, base) if base else ()
        return _united(key, before if isinstance(before, tuple) else (), mine, yours)
    return None


def _united(
    key: str, base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> Block | None:
    gone = {item for item in base if item not in ours or item not in theirs}
    items = tuple(item for item in dict.fromkeys((*ours, *theirs)) if item not in gone)
    text = set_value("---\ntype: x\n---\n", key, items)
    return blocks(split(text)[:-1] + ["---\n"]).get(key)


def _value(key: str, block: Block) -> PropertyValue | None:
    return read_properties(["---\n", *block, "---\n"]).values.get(key)


def text_of(key: str, head: Sequence[str]) -> str:
    """Return the value of a key of a block, empty where it is no text."""
    value = _value(key, blocks(head).get(key, ()))
    return value if isinstance(value, str) else ""


def blocks(head: Sequence[str]) -> dict[str, Block]:
    """Return the lines of a block by top-level key; what stands above a key belongs to it."""
    blocks: dict[str, Block] = {}
    pending: list[str] = []
    last = ""
    for line in head[1:-1]:
        top = line[:1] not in (" ", "\t", "-", "#", "\n")
        key = line.partition(":")[0].strip().strip("'\"") if top else ""
        if key:
            blocks[key] = (*pending, line)
            pending, last = [], key
        elif line[:1] in (" ", "\t", "-") and last and not pending:
            blocks[last] = (*blocks[last], line)
        else:
            pending.append(line)
    if pending:
        blocks["#"] = tuple(pending)  # comments below the last key
    return blocks


def _order(ours: dict[str, Block], theirs: dict[str, Block]) -> list[str]:
    """Return every key: in our order, theirs behind the one they stand behind there."""
    order = list(ours)
    previous = ""
    for key in theirs:
        if key not in ours:
            order.insert(order.index(previous) + 1 if previous in order else 0, key)
        previous = key
    if "#" in order:
        order.append(order.pop(order.index("#")))
    return order
