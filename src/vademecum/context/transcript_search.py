"""Searching transcripts: a literal scan, newest sessions first, apart from memory's index."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.context.transcripts import Transcripts
from vademecum.context.turns import Turn
from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.markdown.tokens import query_terms

_AROUND = 240
"""Characters of a turn that are shown around its first match."""


@dataclass(frozen=True, slots=True)
class TurnHit:
    """A turn that matches."""

    session: str
    line: int
    """Of the transcript, from 1."""
    turn: Turn
    excerpt: str
    score: float
    """Share of the terms that it holds, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class TurnsFound:
    """The turns that match best; the best first, of equals the latest."""

    hits: tuple[TurnHit, ...]
    sessions: int
    """Transcripts that were searched."""


def search_transcripts(
    transcripts: Transcripts, query: str, *, limit: int, session: str = ""
) -> TurnsFound:
    """Return the turns that hold the terms of `query`, letters of either case.

    Turns that hold all of them come first; words of no meaning of their own do not count. Raises
    BadInput for a query without a term.
    """
    terms = _terms(query)
    if not terms:
        raise BadInput("The query has no word to look for.", hint="Name a word that was said.")
    files = [one for one in transcripts.sessions() if session in ("", one.session)]
    found: list[tuple[float, str, TurnHit]] = []
    for file in files:
        for number, turn in transcripts.numbered(file.session):
            folded = turn.text.casefold()
            held = [term for term in terms if term in folded]
            if held:
                score = len(held) / len(terms)
                excerpt = _excerpt(turn.text, folded.find(held[0]))
                hit = TurnHit(file.session, number, turn, excerpt, round(score, 3))
                found.append((score, turn.at, hit))
    found.sort(key=lambda one: one[:2], reverse=True)
    return TurnsFound(tuple(hit for _, _, hit in found[:limit]), len(files))


def _terms(query: str) -> Sequence[str]:
    chosen = query_terms(query)
    words = [term.text.casefold() for term in chosen.terms]
    return list(dict.fromkeys(words)) or query.casefold().split()


def _excerpt(text: str, at: int) -> str:
    start = max(at - _AROUND // 2, 0)
    stop = min(start + _AROUND, len(text))
    before, after = "…" if start else "", "…" if stop < len(text) else ""
    return f"{before}{text[start:stop]}{after}"
