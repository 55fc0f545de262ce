"""The cheaper levels: a question that names a note (L2) or that the map answers (L1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

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


def likely_notes(reader: IndexReader, question: Question) -> Sequence[NoteSummary]:
    """Return notes among which is each that the question names or whose line answers it."""
    words = {term.text for term in question.terms.terms} if _may_be_mapped(question) else ()
    return reader.notes_told_by(_name_asked(question), sorted(words))


def named_note(question: Question, notes: Collection[NoteSummary]) -> NoteSummary | None:
    """Return the one note whose path, title or wikilink is the whole question (L2)."""
    wanted = _name_asked(question)
    if not wanted:
        return None
    # Paths are composed (NFC) as they are.
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


def _name_asked(question: Question) -> str:
    asked = question.text.strip(_AROUND)
    link = _WIKILINK.fullmatch(asked)
    return _key(link[1] if link else asked)


def _key(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def mapped_notes(question: Question, notes: Collection[NoteSummary]) -> tuple[NoteSummary, ...]:
    """Return the few notes whose line in the map holds every word of the question (L1).

    A single word is left to search: that it stands in a title does not say that it is answered.
    """
    if not _may_be_mapped(question):
        return ()
    wanted = {term.text for term in question.terms.terms}
    found = [note for note in notes if note.description and _holds_all(note, wanted)]
    return tuple(found) if len(found) <= _FEW else ()


def _may_be_mapped(question: Question) -> bool:
    terms = question.terms.terms
    if len(terms) < _LEAST_TERMS or question.days:
        return False
    return not any(term.kind == "prefix" for term in terms)


def _holds_all(note: NoteSummary, wanted: set[str]) -> bool:
    line = f"{note.title} {note.description} {' '.join(note.tags)}"
    folded = line.casefold()
    if not all(word in folded for word in wanted if word.isascii()):
        return False  # before anything is cut
    return wanted <= set(index_text(line).split())


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
