"""A folder of plain Markdown: every file is a note, dated ones in the usual places are logs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vademecum.core.migration import Origin, Passed, Treatment
from vademecum.markdown.days import day_in_name
from vademecum.migration.inventory import Item, Tree
from vademecum.migration.sources import host_files
from vademecum.migration.sources.taking import Sorted, Taken, no_note, type_of_folder

_PROJECT = frozenset(
    ("package.json", "pyproject.toml", "cargo.toml", "go.mod", "makefile", "pom.xml", "gemfile")
)
_LOG_FOLDERS = frozenset(("", "memory", "logs", "daily", "journal", "daily notes", "diary"))
_DAILY = re.compile(r"\d{4}-?\d{2}-?\d{2}\.md", re.IGNORECASE)


def is_project(tree: Tree) -> bool:
    """Whether a tree is the source of a program, whose Markdown is documentation."""
    return any(item.path.casefold() in _PROJECT for item in tree.items)


def sort(tree: Tree, origin: Origin) -> Iterator[Sorted]:
    """Yield every note at its own path; of a program's source only what its host loads."""
    project = is_project(tree)
    for item in tree.items:
        if host_files.origin_of(item) is not None:
            continue
        if passed := no_note(item, origin):
            yield passed
        elif project:
            yield Passed(item.path, "documentation of a project; name its folder to have it")
        elif day := _day_of(item):
            yield Taken(item.path, origin, Treatment.LOG, day=day)
        else:
            yield Taken(item.path, origin, Treatment.WHOLE, type=type_of_folder(item.path))


def _day_of(item: Item) -> str:
    folder = item.path[: -len(item.name)].rstrip("/").rpartition("/")[2].casefold()
    if folder not in _LOG_FOLDERS or not _DAILY.fullmatch(item.name):
        return ""
    day = day_in_name(item.name)
    return day.isoformat() if day else ""
