"""Cut text into the words that are indexed and asked for, in every script.

Index and query share one scanner, so a question is always cut exactly where the text was cut.
The full-text engine only has to split what comes out here at spaces, fold accents and stem:
``FTS5_TOKENIZER`` is the tokenizer clause that does so.

- Han, kana and Hangul runs become overlapping pairs, Thai and its neighbours overlapping triples;
  the end of a run is added once more by itself so that a prefix query finds any single character.
- An identifier (``v9.14.3-rc7``, ``ERR_0x7F31``, ``src/app.py``) is indexed as its pieces in order:
  a phrase finds it whole, each piece finds it in part. ``getUserName`` is indexed whole and split.
- ``C++`` and ``C#`` keep a word for their signs.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from vademecum.core.frozen import dataclass
from vademecum.markdown.stopwords import is_function_gram, stop_words_for

FTS5_TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
"""Marks count as part of a word: without them every Thai and Hindi word falls apart."""

TOKENS_VERSION = 1
"""Raise it whenever the same text would give other tokens; indexes are then rebuilt."""

_PAIRED = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u1100-\u11ff"
    "\U00020000-\U0003ffff"
)
_TRIPLED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u104f\u1780-\u17d3"
# Marks are no word characters to Python's \w, so the blocks that live by them are named whole.
_MARKED = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = rf"(?:(?![{_PAIRED}{_TRIPLED}])(?:[^\W_]|[{_MARKED}]))+"
_SEPARATED = r"(?:[._\-/\\:@+]|::|->)"
_SIGNS = r"(?P<signs>\+\+|\#(?!\w))?"
# Compiling the rules for all scripts takes longer than a search: plain text goes without them.
_PLAIN_SCANNER = re.compile(rf"(?P<word>[A-Za-z0-9]+(?:{_SEPARATED}[A-Za-z0-9]+)*){_SIGNS}")
_PLAIN_PIECE = re.compile("[A-Za-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff\x00]"
_OPEN, _CLOSE = '"\u201c\u201e\u00ab\u300c', '"\u201c\u201d\u00bb\u300d'
_QUOTED = re.compile(rf"[{_OPEN}]([^{_OPEN}{_CLOSE}]{{2,200}})[{_CLOSE}]")
_SIGN_WORDS = {"++": "plusplus", "#": "sharp"}
_LONGEST = 64

Kind = Literal["word", "piece", "gram", "prefix"]


@dataclass(frozen=True, slots=True)
class Term:
    """One token of a query. ``kind`` tells a word from an identifier's piece, a run of characters
    of an unspaced script (``gram``), and text too short for one, to be matched as a ``prefix``."""

    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A query cut as the index is cut, duplicates removed, order kept.

    ``terms`` are to be joined by OR, each quoted. ``phrases`` are sequences of tokens that stand
    for something whole (an identifier, words in quotation marks): each is a quoted phrase.
    ``dropped`` are stop words left out; when nothing else was asked, they stay in ``terms``.
    """

    terms: tuple[Term, ...]
    phrases: tuple[tuple[str, ...], ...]
    dropped: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """True when there is nothing to look for in a full-text index."""
        return not self.terms and not self.phrases


def index_text(text: str) -> str:
    """The text to feed to the full-text engine in place of ``text``: tokens joined by spaces."""
    return " ".join(token for piece in _scan(text) for token in piece.indexed())


def query_terms(text: str) -> QueryTerms:
    """Cut any text whatever into terms; nothing in it is ever syntax, except quotation marks."""
    pieces = list(_scan(text))
    asked = list(dict.fromkeys(term for piece in pieces for term in piece.asked()))
    stops = stop_words_for([term.text for term in asked if term.kind == "word"])
    kept = [term for term in asked if not _empty_of_content(term, stops)]
    phrases = [piece.whole() for piece in pieces]
    phrases += [_phrase(list(_scan(quoted))) for quoted in _QUOTED.findall(text)]
    return QueryTerms(
        terms=tuple(kept or asked),
        phrases=tuple(dict.fromkeys(phrase for phrase in phrases if len(phrase) > 1)),
        dropped=tuple(term.text for term in asked if kept and term not in kept),
    )


def _empty_of_content(term: Term, stops: Collection[str]) -> bool:
    if term.kind == "word":
        return term.text in stops
    return term.kind in ("gram", "prefix") and is_function_gram(term.text)


@dataclass(frozen=True, slots=True)
class _Piece:
    """What one match of the scanner stands for."""

    tokens: tuple[str, ...]
    kind: Literal["word", "compound", "hump", "gram", "short"]
    tail: tuple[str, ...] = ()

    def indexed(self) -> tuple[str, ...]:
        return self.tokens + self.tail

    def asked(self) -> Iterator[Term]:
        kinds: dict[str, Kind] = {"word": "word", "gram": "gram", "short": "prefix"}
        for token in self.tokens:
            yield Term(token, kinds.get(self.kind, "piece"))

    def whole(self) -> tuple[str, ...]:
        return self.tokens if self.kind == "compound" else ()


@functools.cache
def _full_rules() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return scanner, piece and invisible characters for every script."""
    scanner = (
        rf"(?P<paired>[{_PAIRED}]+)|(?P<tripled>[{_TRIPLED}]+)"
        rf"|(?P<word>{_WORD}(?:{_SEPARATED}{_WORD})*){_SIGNS}"
    )
    return re.compile(scanner), re.compile(_WORD), re.compile(_INVISIBLE)


def _scan(text: str) -> Iterator[_Piece]:
    if text.isascii():
        for match in _PLAIN_SCANNER.finditer(text.replace("\x00", "")):
            yield from _words(match["word"], match["signs"] or "")
    else:
        yield from _scan_any(text)


def _scan_any(text: str) -> Iterator[_Piece]:
    scanner, _, invisible = _full_rules()
    for match in scanner.finditer(unicodedata.normalize("NFKC", invisible.sub("", text))):
        kind = match.lastgroup
        if match["paired"]:
            yield _grams(match["paired"], 2)
        elif match["tripled"]:
            yield _grams(match["tripled"], 3)
        elif kind:
            yield from _words(match["word"], match["signs"] or "")


def _phrase(pieces: Sequence[_Piece]) -> tuple[str, ...]:
    """The tokens in the order in which the index has them; the last run may go on in the text."""
    led = [token for piece in pieces[:-1] for token in piece.indexed()]
    return (*led, *(pieces[-1].tokens if pieces else ()))


def _grams(run: str, size: int) -> _Piece:
    if len(run) < size:
        return _Piece((run,), "short")
    grams = tuple(run[i : i + size] for i in range(len(run) - size + 1))
    return _Piece(grams, "gram", tuple(run[i:] for i in range(len(run) - size + 1, len(run))))


def _words(run: str, signs: str) -> Iterator[_Piece]:
    rule = _PLAIN_PIECE if run.isascii() else _full_rules()[1]
    pieces = [piece[:_LONGEST] for piece in rule.findall(run)]
    extra = (_SIGN_WORDS[signs],) if signs else ()
    tokens = (*(piece.casefold() for piece in pieces), *extra)
    yield _Piece(tokens, "compound" if len(tokens) > 1 else "word")
    for piece in pieces:
        humps = _HUMP.split(piece) if not piece.islower() else [piece]
        if len(humps) > 1:
            yield _Piece(tuple(hump.casefold() for hump in humps), "hump")
