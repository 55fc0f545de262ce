"""Entries that tell of a decision in words of their own: behind the claim that holds, or past."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.ports import ClaimReader, KeywordQuery
from vademecum.markdown.compare import NormalClaim, normalise
from vademecum.markdown.kinds import Kind, classify
from vademecum.markdown.stopwords import stop_words_for
from vademecum.markdown.tokens import query_terms
from vademecum.recall.items import Item
from vademecum.recall.lineage import Lineage
from vademecum.recall.statements import Statement

_NEAR = 12
_DECISIONS = "decisions"
"""The folder of decisions, by that name in every profile that has one."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A claim and what took its place, by the words in which the two differ."""

    before: Claim
    after: Claim
    left: frozenset[str]
    """Words of the old value alone."""
    came: frozenset[str]
    """Words of the new value alone."""
    shared: frozenset[str]
    names: frozenset[str]
    """Those of `shared` that the old claim writes as names, but for its first word."""


def place_told(item: Item, reader: ClaimReader, lineage: Lineage) -> None:
    """Hold an unclaimed entry against decisions that were replaced.

    "Decided on REST over GraphQL" need not look like the claim "Services talk REST": it tells of a
    decision and has the words by which that claim differs from its successor. An entry with the old
    words alone, from before the replacement, is past; one with the new words stands behind the
    claim that holds.
    """
    leader: Claim | None = None
    for statement in item.statements:
        decided = _tells_of_a_decision(statement)
        words = frozenset(statement.normal.keys)
        for step in _steps(statement, reader, lineage):
            if not (decided and _is_about(words, step)) and not _says_all(words, step):
                continue
            view = lineage.seen(step.before)
            if view is None:
                continue
            if step.came <= words or view.live:
                leader = leader or lineage.holding(step.before)
            elif _was_before(statement, step.before):
                lines = [one for one in item.statements if not one.part]
                item.partly = not decided and len(lines) > 1
                name = f"^{step.before.id}" if step.before.id else str(step.before.span)
                item.past(lineage.successor(step.before), f"tells of {name}, which was superseded")
                return
    if leader is not None and item.after is None:
        item.after = leader


def _tells_of_a_decision(statement: Statement) -> bool:
    changes = any(frame.changed for frame in statement.normal.frames)
    return changes or classify(statement.normal.text).kind is Kind.DECISION


def _steps(statement: Statement, reader: ClaimReader, lineage: Lineage) -> Iterator[_Step]:
    terms = tuple(term.text for term in query_terms(statement.normal.text).terms)
    for claim in reader.claims_like(KeywordQuery(terms), _NEAR):
        if claim.live:
            continue
        after = lineage.following(claim)
        if after is not None:
            old, new = _telling(normalise(claim.text)), _telling(normalise(after.text))
            shared = old & new
            yield _Step(claim, after, old - new, new - old, shared, shared & _names(claim.text))


def _telling(claim: NormalClaim) -> frozenset[str]:
    return frozenset(claim.keys) - frozenset(stop_words_for(claim.keys))


def _names(text: str) -> frozenset[str]:
    """Return the capitalised words behind the first, casefolded."""
    return frozenset(word.casefold() for word in text.split()[1:] if word[:1].isupper())


def _is_about(words: frozenset[str], step: _Step) -> bool:
    """Whether it names the old value, of a decision or of something it names as well."""
    if not step.left or not step.left <= words or not step.names <= words:
        return False
    decided = _DECISIONS in step.before.span.path.split("/")
    return decided or bool(step.shared & words)


def _says_all(words: frozenset[str], step: _Step) -> bool:
    """Whether it holds every telling word of the old claim and none of the new value."""
    old = step.left | step.shared
    return bool(step.left) and len(old) > 1 and old <= words and not step.came & words


def _was_before(statement: Statement, claim: Claim) -> bool:
    if statement.day is None or claim.until is None:
        return True
    return statement.day <= claim.until
