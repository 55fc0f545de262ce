"""One file in three versions: texts with one kind of line end, cut into head and body."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import split
from vademecum.markdown.properties import read_properties


@dataclass(frozen=True, slots=True)
class Version:
    """Frontmatter and the lines below it; every line ends with `\\n`."""

    head: tuple[str, ...]
    """With its fences; empty where there is none."""
    body: tuple[str, ...]
    defect: str = ""
    """Why the frontmatter cannot be read."""

    @property
    def text(self) -> str:
        """The whole version."""
        return "".join((*self.head, *self.body))


def version_of(text: str) -> Version:
    """Return a text cut in two."""
    text = text.replace("\r\n", "\n")
    if text and not text.endswith("\n"):
        text += "\n"
    lines = split(text)
    read = read_properties(lines)
    return Version(tuple(lines[: read.last]), tuple(lines[read.last :]), read.defect)


@dataclass(frozen=True, slots=True)
class Merged:
    """What three versions came to; `conflicts` says, a sentence each, what a person has to rule."""

    text: str
    conflicts: tuple[str, ...] = ()


def joined(lines: Sequence[str], line_end: str) -> str:
    """Return lines as one text with that line end."""
    text = "".join(lines)
    return text if line_end == "\n" else text.replace("\n", line_end)
