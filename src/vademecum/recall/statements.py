"""What a hit states: its sentences, ready to be compared with claims and with each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.search import Hit
from vademecum.markdown.compare import (
    Contradicts,
    NormalClaim,
    Same,
    Updates,
    Verdict,
    compare,
    normalise,
    slot_keys,
)
from vademecum.markdown.compare.frames import Frame
from vademecum.markdown.compare.keys import claim_keys, declared_key
from vademecum.markdown.saying import said
from vademecum.markdown.sentences import undated

_MOST_SENTENCES = 5
_LONGEST = 300
_LEAD = re.compile(
    r"""^(?:
        \s*(?:[-*+>]|\d+[.)])\s+(?:\[[ xX]\]\s+)?
      | \[(?:stated|observed|inferred|suggested)\]\s*
      | (?-i:\[[A-Z][A-Z_-]{2,20}\])\s+
      | [(\[]?\d{1,2}:\d{2}[)\]]?\s*(?:[—–:-]\s*)?
      | \*\*[^*\n]{1,40}\*\*[:：]?\s*
    )+""",
    re.IGNORECASE | re.VERBOSE,
)
"""What stands before a sentence: list mark, tag or kind, clock time, a speaker in bold."""
_SAYS = re.compile(r"[^\W\d_][^:.!?，。]{0,30}[:：]\s+(?=\S+\s+\S)")
"""A name before what that person said; it may as well be a label, so both readings count."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-zß-ÿ])|(?<=[。！？])\s*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence that was read as a claim would be."""

    normal: NormalClaim
    keys: tuple[str, ...]
    day: date | None
    slot: str = ""
    part: bool = False
    """It is one sentence of several in its line."""


def stated(claims: Sequence[Claim], hit: Hit) -> tuple[Statement, ...]:
    """Return what a hit states: its claims, where it has any, else the sentences of its text."""
    if claims:
        return tuple(statement_of(claim, claim.since) for claim in claims)
    return statements_of(hit.text, hit.date)


def statements_of(text: str, day: date | None) -> tuple[Statement, ...]:
    """Return the first sentences of a piece of text as statements made on `day`.

    What was written down later was made on the day that its line says.
    """
    found = []
    for sentence, part, on in _sentences(text):
        normal = normalise(sentence)
        if len(normal.tokens) > 1 and not normal.asks:
            found.append(Statement(normal, slot_keys(normal), on or day, part=part))
    return tuple(found)


def statement_of(claim: Claim, day: date | None) -> Statement:
    """Return a claim as a statement made on `day`."""
    return Statement(normalise(claim.text), claim_keys(claim), day, claim.slot)


def _sentences(text: str) -> list[tuple[str, bool, date | None]]:
    """Return each line whole and, where it has several sentences, those; a few of them in all.

    Each with whether it is one of several and with the day that its line says, if it says one.
    """
    found: list[tuple[str, bool, date | None]] = []
    for line in said(text).split("\n"):
        plain, on = undated(_LEAD.sub("", line, count=1).strip())
        if plain and len(plain) <= _LONGEST:
            found.append((plain, False, on))
        spoken = _SAYS.sub("", plain, count=1) if _SAYS.match(plain) else plain
        parts = [part.strip() for part in _SENTENCE.split(spoken)] if plain else []
        if len(parts) > 1 or spoken != plain:
            found += [(part, True, on) for part in parts if part and len(part) <= _LONGEST]
        if len(found) >= _MOST_SENTENCES:
            break
    return found[:_MOST_SENTENCES]


def verdict(newer: Statement, older: Statement) -> Verdict:
    """Say what the newer statement does to the older one."""
    if newer.slot and older.slot and declared_key(newer.slot) == declared_key(older.slot):
        same = newer.normal.keys == older.normal.keys
        return Same("the same words") if same else Updates("the declared slot holds one value")
    return compare(newer.normal, older.normal)


def replaces(new: Claim, old: Statement) -> bool:
    """Whether a claim gives another value to what an older statement speaks of."""
    return isinstance(verdict(statement_of(new, new.since), old), Updates | Contradicts)


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether two statements give one value to one slot, in the same words or in others."""
    if one.normal.keys == other.normal.keys and one.normal.negation == other.normal.negation:
        return True
    return isinstance(compare(one.normal, other.normal), Same)


def share_a_slot(one: Statement, other: Statement) -> bool:
    """Whether both give a value to the same thing, of which nobody can say that it has but one.

    Of relations that hold many values only "X is V" counts: it is said as if there were one.
    """
    slots = {frame.slot for frame in one.normal.frames if _may_be_single(frame)}
    return any(frame.slot in slots for frame in other.normal.frames)


def _may_be_single(frame: Frame) -> bool:
    return frame.relation == "is" or frame.strength not in ("many", "preference")


def likeness(one: Statement, other: Statement) -> float:
    """Return which share of the shorter statement's content words the other one holds."""
    mine, its = set(one.normal.content), set(other.normal.content)
    shared = mine & its
    spaced = one.normal.script in ("latin", "korean")
    if not shared or (not spaced and len(shared) < 2):
        return 0.0
    return len(shared) / min(len(mine), len(its))
