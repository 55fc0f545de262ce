"""What is asked: the words of a question, the days it names, and whether anything is asked."""

from __future__ import annotations

import unicodedata
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.markdown.tokens import QueryTerms, query_terms
from vademecum.recall.dates import When, days_named

LONGEST = 4_000
"""Characters of a query that are read: more is a document, not a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query, read. `text` is what is embedded."""

    text: str
    terms: QueryTerms
    days: tuple[When, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to look for by words or by meaning."""
        return not any(character.isalnum() for character in self.text)


def parse(query: str, today: date) -> Question:
    """Read any text whatever as a question; nothing in it is an error or an instruction."""
    written = query.encode("utf-8", "ignore").decode()  # lone surrogates
    text = unicodedata.normalize("NFC", " ".join(written.replace("\x00", " ").split()))[:LONGEST]
    return Question(text, query_terms(text), days_named(text, today))
