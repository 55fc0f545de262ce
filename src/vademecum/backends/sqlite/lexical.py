"""The lexical leg: what is fed to FTS5, and BM25 over its weighted columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

import apsw

from vademecum.core.notes import Chunk
from vademecum.core.patterns import later
from vademecum.core.ports import ColumnWeights, KeywordQuery
from vademecum.core.search import ScoredChunk
from vademecum.markdown.tokens import FTS5_TOKENIZER, index_text

_FREQUENT_SHARE = 0.05
_FREQUENT_FROM = 5_000
"""Below this many chunks every posting list is short enough to be counted when asked."""
_COLUMNS = ("body", "heading", "date", "near")
_INSERT = "INSERT INTO chunks_fts(rowid, body, heading, date, near) VALUES(?, ?, ?, ?, ?)"
_SELECT = (
    "SELECT rowid, rank FROM chunks_fts WHERE chunks_fts MATCH ? AND rank MATCH ?"
    " ORDER BY rank LIMIT ?"
)


# Lines that the engine's own tokenizer cuts exactly as `index_text` does: letters that it folds
# alike, and none of what gets extra words (humps, signs, runs too long). Most lines are of this
# kind, and cutting them in Python is nine tenths of the cost of loading.
_PLAIN = later(r"[\t\x20-\x7eÀ-ÖØ-Þà-öø-ÿА-яЁё“”„‘’–—…€‹›«»•→]*")
_SIGNED = later(r"\w(?:\+\+|#)")
_HUMP = later(r"[A-Z](?:(?<=[a-z].)|[A-Z](?=[a-z]))")
_LONG_RUN = 64


class TextFeed:
    """Cuts texts for the engine, each distinct line once.

    Overlaps and `near` repeat the lines of their neighbours, and no token spans a line end.
    """

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}

    def row(self, chunk: Chunk) -> tuple[str, str, str, str]:
        """Return the four columns of a chunk."""
        cut = self._cut
        return (cut(chunk.text), cut(chunk.heading), iso_of(chunk.date) or "", cut(chunk.near))

    def forget(self) -> None:
        """Drop what was remembered; call it from note to note."""
        self._lines.clear()

    def _cut(self, text: str) -> str:
        lines = self._lines
        whole = lines.get(text)
        if whole is not None:
            return whole
        if "\n" not in text:
            whole = lines[text] = cut_line(text)
            return whole
        cut = []
        for line in text.split("\n"):
            known = lines.get(line)
            if known is None:
                known = lines[line] = cut_line(line)
            cut.append(known)
        return " ".join(cut)


@lru_cache(maxsize=64)
def iso_of(day: date | None) -> str | None:
    """Return a day as it is kept; the chunks of a note ask for the same one again and again."""
    return day.isoformat() if day else None


def cut_line(line: str) -> str:
    """Return a text that the engine cuts into the tokens of `index_text(line)`."""
    if _is_plain(line):
        return line
    return index_text(line)


def _is_plain(line: str) -> bool:
    if "\x00" in line or _HUMP.search(line):
        return False
    if ("#" in line or "++" in line) and _SIGNED.search(line):
        return False
    if not line.isascii() and not _PLAIN.fullmatch(line):
        return False
    return len(line) < _LONG_RUN or max(map(len, line.split()), default=0) < _LONG_RUN


def insert_texts(
    connection: apsw.Connection, rows: Iterable[tuple[int, str, str, str, str]]
) -> None:
    """Add chunks by id and columns."""
    connection.executemany(_INSERT, rows)


def delete_texts(connection: apsw.Connection, first: int, last: int) -> None:
    """Remove the chunks with ids from `first` to `last`."""
    connection.executemany(
        "DELETE FROM chunks_fts WHERE rowid=?", ((chunk,) for chunk in range(first, last + 1))
    )


def keyword_hits(connection: apsw.Connection, query: KeywordQuery, limit: int) -> list[ScoredChunk]:
    """Return the best chunks by BM25, best first."""
    match = match_expression(query)
    if not match or limit < 1:
        return []
    rows = connection.execute(_SELECT, (match, _rank_function(query.weights), limit))
    return [ScoredChunk(chunk, -rank) for chunk, rank in rows]


def match_expression(query: KeywordQuery) -> str:
    """Return the query in FTS5's syntax, every element quoted; empty when nothing is asked."""
    parts = [_quoted(term) for term in query.terms if term.strip()]
    parts += [_quoted(" ".join(phrase)) for phrase in query.phrases if any(phrase)]
    parts += [_quoted(prefix) + " *" for prefix in query.prefixes if prefix.strip()]
    asked = _in_columns(" OR ".join(dict.fromkeys(parts)), query.weights)
    days = " OR ".join(dict.fromkeys(_quoted(" ".join(day)) for day in query.days))
    return f"({asked}) AND date : ({days})" if asked and days else asked


def _in_columns(asked: str, weights: ColumnWeights) -> str:
    """Return the expression limited to the columns that count at all."""
    if not asked or min(weights.body, weights.heading, weights.date, weights.near) > 0:
        return asked
    searched = [column for column in _COLUMNS if getattr(weights, column) > 0]
    return f"{{{' '.join(searched)}}} : ({asked})" if searched else ""


def document_frequency(connection: apsw.Connection, terms: Sequence[str]) -> dict[str, int]:
    """Return in how many chunks each term occurs, in the engine's own form of the term."""
    tokenize = connection.fts5_tokenizer(*_tokenizer_parts())
    return {term: _frequency_of(connection, _stems(tokenize, term)) for term in terms}


def remember_frequent(connection: apsw.Connection, chunks: int) -> None:
    """Write down the terms that stand in many chunks, so that a query need not count them."""
    connection.execute("DELETE FROM frequent")
    if chunks >= _FREQUENT_FROM:
        connection.execute(
            "INSERT INTO frequent SELECT term, doc FROM chunks_terms WHERE doc > ?",
            (int(chunks * _FREQUENT_SHARE),),
        )


def _frequency_of(connection: apsw.Connection, stems: Sequence[str]) -> int:
    counts = []
    for stem in stems:
        known = connection.execute("SELECT chunks FROM frequent WHERE term=?", (stem,)).get
        if known is None:
            known = connection.execute("SELECT doc FROM chunks_terms WHERE term=?", (stem,)).get
        counts.append(known if isinstance(known, int) else 0)
    return min(counts, default=0)


def _stems(tokenize: apsw.FTS5Tokenizer, term: str) -> list[str]:
    found = tokenize(
        term.encode("utf-8", "replace"),
        apsw.FTS5_TOKENIZE_QUERY,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return [str(stem) for stem in found]


def _tokenizer_parts() -> tuple[str, list[str]]:
    head, _, categories = FTS5_TOKENIZER.partition(" categories ")
    name, *arguments = head.split()
    return name, [*arguments, "categories", categories.strip("'")]


def _rank_function(weights: ColumnWeights) -> str:
    columns = (weights.body, weights.heading, weights.date, weights.near)
    return f"bm25({', '.join(repr(float(weight)) for weight in columns)})"


def _quoted(text: str) -> str:
    clean = text.replace("\x00", " ").encode("utf-8", "replace").decode()
    return '"' + clean.replace('"', '""') + '"'
