"""Notes and their pieces: spans, sections, links, chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.roles import Role as Role

PropertyValue = str | tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of whole lines in a file of the workspace.

    `path` is POSIX, relative to the root, NFC. `first` and `last` count from 1, both inclusive.
    `digest` is that of the lines' text when the span was made, or empty.
    """

    path: str
    first: int
    last: int
    digest: str = ""

    def __str__(self) -> str:
        lines = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines below it up to the next heading of any level.

    The text before the first heading is a section of level 0 without a title.
    """

    level: int
    title: str
    path: tuple[str, ...]
    """Titles of the enclosing headings, outermost first, this section's own last."""
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Link:
    """A wikilink or a Markdown link to another note, as it is written."""

    target: str
    """Path, title or name; without anchor and alias."""
    anchor: str
    line: int
    wiki: bool


@dataclass(frozen=True, slots=True)
class Properties:
    """Frontmatter as read: every scalar kept as the string that stands in the file.

    `defect` says why the block could not be read; `values` is then empty. `last` is the line number
    of the closing fence, 0 where there is no block.
    """

    values: Mapping[str, PropertyValue] = field(default_factory=dict)
    defect: str = ""
    last: int = 0

    def text(self, key: str) -> str:
        """Return the scalar under `key`, or an empty string."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ", ".join(value)

    def items(self, key: str) -> tuple[str, ...]:
        """Return the list under `key`; a scalar counts as a list of one."""
        value = self.values.get(key, ())
        if isinstance(value, str):
            return (value,) if value else ()
        return value


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file, read."""

    path: str
    title: str
    role: Role
    properties: Properties
    sections: tuple[Section, ...]
    links: tuple[Link, ...]
    date: date | None
    """The day the note is about: from its name, else `created` or `date` of its frontmatter."""
    lines: int

    @property
    def description(self) -> str:
        """The one-line description of its frontmatter, or an empty string."""
        return self.properties.text("description")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit that is indexed: small enough to be precise, its context beside it."""

    span: Span
    text: str
    """The lines' exact text, without a final newline."""
    heading: str
    """Title of the note and headings above, joined by ` › `."""
    section: int
    """Ordinal of its section in the note; neighbours share it."""
    date: date | None
    near: str = ""
    """Text of the units before and after in the same section, for the lexical leg only."""

    @property
    def passage(self) -> str:
        """What is embedded, but for what provenance it holds: date, heading, newline, text."""
        day = self.date.isoformat() if self.date else ""
        return f"{day} {self.heading}".strip() + "\n" + self.text
