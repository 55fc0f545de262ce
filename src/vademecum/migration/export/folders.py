"""`index.md` of every folder of a bundle: what is in it, by type, with one line a note."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.frozen import dataclass
from vademecum.markdown.leading import label_written, path_written

_ROOT_HEAD = '---\nokf_version: "0.1"\n---\n\n'
_FOLDERS = "Folders"


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    title: str
    description: str


class Folders:
    """What every folder of a bundle holds, note by note."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, list[_Entry]]] = {"": {}}

    def add(self, path: str, type: str, title: str, description: str) -> None:
        """Take a note into the index of its folder, and its folder into those above."""
        folder, _, name = path.rpartition("/")
        below = self._of(folder)
        below.setdefault(type, []).append(_Entry(name, title, description))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield the path and the text of each index, by path."""
        for folder in sorted(self._held):
            path = f"{folder}/index.md" if folder else "index.md"
            yield path, ("" if folder else _ROOT_HEAD) + self._index(folder)

    def _of(self, folder: str) -> dict[str, list[_Entry]]:
        if folder not in self._held:
            self._held[folder] = {}
            self._of(folder.rpartition("/")[0])
        return self._held[folder]

    def _index(self, folder: str) -> str:
        sections = dict(self._held[folder])
        head = f"{folder}/" if folder else ""
        inner = [
            below
            for below in self._held
            if below and below != folder and below.rpartition("/")[0] == folder
        ]
        parts = []
        for type in sorted(sections, key=str.casefold):
            rows = sorted(sections[type], key=lambda one: (one.title.casefold(), one.name))
            parts.append(_section(type, rows))
        if inner:
            rows = [_Entry(f"{below.removeprefix(head)}/", below, "") for below in sorted(inner)]
            named = [_Entry(one.name, one.name.rstrip("/"), self._said(one.title)) for one in rows]
            parts.append(_section(_FOLDERS, named))
        return "\n".join(parts)

    def _said(self, folder: str) -> str:
        count = sum(len(rows) for rows in self._held[folder].values())
        return f"{count:,} {'note' if count == 1 else 'notes'}" if count else "folders"


def _section(heading: str, rows: list[_Entry]) -> str:
    title = " ".join(heading.split())
    title = title[:1].upper() + title[1:]
    return f"# {title}\n\n" + "".join(_line(row) for row in rows)


def _line(row: _Entry) -> str:
    line = f"* [{label_written(row.title)}]({path_written(row.name)})"
    told = " ".join(row.description.split()).replace("](", "] (")
    return f"{line} - {told}\n" if told else f"{line}\n"
