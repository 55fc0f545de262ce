"""Which exports of providers there are: mem0's memories, ChatGPT's conversations and memories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.sources.taking import Sorted, Taken

_HEAD = 8192
_CONVERSATION = re.compile(rb'"mapping"\s*:\s*\{|"current_node"\s*:')
_MEMORY = re.compile(rb'"memory"\s*:\s*"')
_LIST = re.compile(rb'\s*(?:\[|\{\s*"(?:memories|results|data)"\s*:\s*\[)')
_CONTENT = re.compile(rb'"(?:content|text)"\s*:\s*"|\A\s*\[\s*"')
_OTHER_FILES = "part of an export that holds no memory"


def origin_of(tree: Tree, item: Item) -> Origin | None:
    """Return whose export a file of JSON is, None where it is none."""
    if not item.name.casefold().endswith(".json"):
        return None
    head = tree.read(item.path, _HEAD).lstrip(b"\xef\xbb\xbf")
    if _CONVERSATION.search(head) or item.name == "conversations.json":
        return Origin.CHATGPT
    if _MEMORY.search(head) and _LIST.match(head):
        return Origin.MEM0
    memories = "memor" in item.name.casefold() and _LIST.match(head) and _CONTENT.search(head)
    return Origin.CHATGPT if memories else None


def holds_export(tree: Tree) -> bool:
    """Whether there is one in the root of a tree."""
    return any(origin_of(tree, item) for item in tree.items if "/" not in item.path)


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield each export of a tree; the other files of one hold nothing to remember."""
    del origin
    for item in tree.items:
        found = origin_of(tree, item)
        if found is None:
            yield Passed(item.path, _OTHER_FILES)
        else:
            yield Taken(item.path, found, Treatment.RECORDS)
