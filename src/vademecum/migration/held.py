"""What the workspace says already, so that a migration does not say it twice."""

from __future__ import annotations

from collections.abc import Container, Iterator

from vademecum.core.errors import NoteNotFound, Unreadable
from vademecum.core.ids import text_digest
from vademecum.core.notes import Span
from vademecum.core.roles import Role
from vademecum.markdown.claim_lines import parted
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode, split
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace

_READ = (Role.CONCEPT, Role.CORE, Role.INSTRUCTIONS, Role.IDENTITY)
SHORTEST = 4
"""Bytes of a text that is looked for; what is shorter may well be said twice."""


class Held:
    """Every line of notes and instructions by its words; read when it is first asked for.

    The files of `without` are those that are moved themselves. Lines that this migration places
    are added, with the place in the source that they come from.
    """

    def __init__(self, workspace: Workspace, *, without: Container[str] = ()) -> None:
        self._workspace = workspace
        self._without = without
        self._by_key: dict[str, Span] | None = None
        self._placed: dict[str, Span] = {}

    def held(self, text: str) -> Span | None:
        """Return where the workspace says this, None where it does not."""
        key = _key(text)
        if not key:
            return None
        if self._by_key is None:
            self._by_key = dict(self._lines())
        return self._by_key.get(key)

    def placed(self, text: str) -> Span | None:
        """Return where in the source this was placed from before."""
        return self._placed.get(_key(text))

    def place(self, text: str, source: Span) -> None:
        """Note that a line of the source is placed."""
        if key := _key(text):
            self._placed.setdefault(key, source)

    def _lines(self) -> Iterator[tuple[str, Span]]:
        for path in sorted(self._workspace.scan().files):
            if self._workspace.role_of(path) not in _READ or path in self._without:
                continue
            try:
                text = decode(self._workspace.files.read(path).data).text
            except (NoteNotFound, Unreadable):
                continue
            lines = split(text)
            for number, kind in enumerate(classify(lines, read(text).last)):
                if kind in (Kind.ITEM, Kind.TEXT) and (key := _key(said(lines[number]))):
                    yield key, Span(path, number + 1, number + 1)


def said(raw: str) -> str:
    """Return what a line says: of a claim its text, else all of it."""
    line = parted(raw.strip("\r\n"))
    return line.text if line is not None and not line.struck else raw.strip()


def key_of_line(line: str) -> str:
    """Return what two lines share that say the same: of a heading its words, else what is said."""
    found = heading_of(line)
    return f"# {key_of(found[1])}" if found else key_of(said(line)) or line.strip()


def _key(text: str) -> str:
    key = key_of(text)
    return text_digest(key) if len(key.encode("utf-8", "surrogatepass")) >= SHORTEST else ""
