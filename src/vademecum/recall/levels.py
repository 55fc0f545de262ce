"""The cheaper levels: a question that names a note (L2) or that the map answers (L1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping

from vademecum.core.patterns import later
from vademecum.core.ports import IndexReader, NoteSummary
from vademecum.core.search import IndexedChunk
from vademecum.markdown.tokens import index_text
from vademecum.recall.parse import Question

_FEW = 3
_LEAST_TERMS = 2
_EMPTY_SECTIONS = 4
_AROUND = " \t\"'“”„«»「」?？!.。"
_WIKILINK = later(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")


def named_note(question: Question, notes: Collection[NoteSummary]) -> NoteSummary | None:
    """Return the one note whose path, title or wikilink is the whole question (L2)."""
    asked = question.text.strip(_AROUND)
    link = _WIKILINK.fullmatch(asked)
    wanted = _key(link[1] if link else asked)
    if not wanted or wanted not in _all_names(notes):
        return None
    # Paths are composed (NFC) as they are; there may be ten thousand of them.
    paths: list[NoteSummary] = []
    stems: list[NoteSummary] = []
    titles: list[NoteSummary] = []
    for note in notes:
        path = note.path.casefold()
        if path.removesuffix(".md") == wanted or path == wanted:
            paths.append(note)
        elif path[path.rfind("/") + 1 :].removesuffix(".md") == wanted:
            stems.append(note)
        elif (note.title.casefold() if note.title.isascii() else _key(note.title)) == wanted:
            titles.append(note)
    found = paths or stems or titles
    return found[0] if len(found) == 1 else None


def _all_names(notes: Collection[NoteSummary]) -> str:
    """Return all paths and titles as one text, to see at once that a question is none of them."""
    names = [
        f"{note.path}\n{note.title if note.title.isascii() else _key(note.title)}" for note in notes
    ]
    return "\n".join(names).casefold()


def _key(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def mapped_notes(question: Question, notes: Collection[NoteSummary]) -> tuple[NoteSummary, ...]:
    """Return the few notes whose line in the map holds every word of the question (L1).

    A single word is left to search: that it stands in a title does not say that it is answered.
    """
    terms = question.terms.terms
    if len(terms) < _LEAST_TERMS or question.days or any(term.kind == "prefix" for term in terms):
        return ()
    wanted = {term.text for term in terms}
    found = [note for note in notes if note.description and _holds_all(note, wanted)]
    return tuple(found) if len(found) <= _FEW else ()


def _holds_all(note: NoteSummary, wanted: set[str]) -> bool:
    line = f"{note.title} {note.description} {' '.join(note.tags)}"
    folded = line.casefold()
    if not all(word in folded for word in wanted if word.isascii()):
        return False  # before anything is cut: there may be ten thousand lines
    return wanted <= set(index_text(line).split())


class KnownNotes:
    """The notes of an index, read again only when its content has changed."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._revision = -1
        self._notes: Mapping[str, NoteSummary] = {}

    def by_path(self) -> Mapping[str, NoteSummary]:
        """Return every note that the index knows."""
        revision = self._reader.counts().revision
        if revision != self._revision:
            self._notes = {note.path: note for note in self._reader.notes()}
            self._revision = revision
        return self._notes


def chunks_of(reader: IndexReader, path: str, limit: int) -> list[IndexedChunk]:
    """Return the first `limit` chunks of a note in the order of its lines."""
    found: list[IndexedChunk] = []
    for chunk in _in_order(reader, path):
        found.append(chunk)
        if len(found) == limit:
            break
    return found


def _in_order(reader: IndexReader, path: str) -> Iterator[IndexedChunk]:
    empty, section = 0, -1  # what a note says of itself is its section -1
    while empty <= _EMPTY_SECTIONS:
        chunks = reader.section(path, section)
        yield from chunks
        empty = 0 if chunks else empty + 1
        section += 1
