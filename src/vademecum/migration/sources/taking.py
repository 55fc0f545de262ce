"""What a source module says of a file: how it is to be taken, and where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.core.notes import Properties
from vademecum.core.patterns import later
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode
from vademecum.migration.inventory import Item, Tree

_HEAD = 65_536
_KIND_FOLDERS = {
    "decisions": "decision",
    "lessons": "lesson",
    "people": "person",
    "projects": "project",
    "preferences": "preference",
    "facts": "fact",
    "reflections": "reflection",
}
IMPORTED = "imported"
"""Folder of notes for what has no place of its own in a workspace."""
_README = later(r"(?i)(?:license|changelog|contributing|code_of_conduct)(?:\.\w+)?\.md\Z")


@dataclass(frozen=True, slots=True)
class Taken:
    """One file that is to be taken.

    `to` is relative to the folder of notes, of an archived one to the archive; empty: its own
    path. `day` is that of a log, ISO 8601. `leads` says of a map which of its links name files:
    from target to path. See `FilePlan` for the rest.
    """

    path: str
    origin: Origin
    treatment: Treatment
    to: str = ""
    type: str = ""
    title: str = ""
    day: str = ""
    host_owned: bool = False
    back: str = ""
    """The path of the file of its role that it was, in the memory that it was exported from."""


Sorted = Taken | Passed
Sort = Callable[[Tree, Origin], Iterator[Sorted]]


def is_markdown(item: Item) -> bool:
    """Whether a file is named like a note."""
    return item.path.casefold().endswith((".md", ".markdown"))


def head_of(tree: Tree, path: str) -> Properties:
    """Return the frontmatter of a file."""
    return read(decode(tree.read(path, _HEAD)).text)


def type_of_folder(path: str) -> str:
    """Return the type that a note has by the folder it lies in, empty where none tells."""
    folders = path.casefold().split("/")[:-1]
    return next((_KIND_FOLDERS[name] for name in folders if name in _KIND_FOLDERS), "")


def no_note(item: Item, origin: Origin) -> Passed | None:
    """Return why a file of a tree is no memory, None where it may be."""
    del origin
    if not is_markdown(item):
        return Passed(item.path, "no Markdown")
    if _README.match(item.name):
        return Passed(item.path, "papers of a project")
    return None
