"""Decide what a new claim does to those memory holds: nothing, add, update, or conflict.

The one module of writing that knows how claims are compared.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Tag
from vademecum.markdown.compare import (
    Contradicts,
    NormalClaim,
    Related,
    Same,
    Updates,
    Verdict,
    compare,
    normalise,
    slot_keys,
)
from vademecum.markdown.compare.candidates import LONGEST_POSTING
from vademecum.markdown.compare.keys import claim_keys, declared_key
from vademecum.writing.judged import UNJUDGED, Judged, Relation

__all__ = [
    "ALIKE",
    "LONGEST_POSTING",
    "Concern",
    "Decision",
    "New",
    "NormalClaim",
    "claim_keys",
    "concerns",
    "decide",
    "hangs_on_likeness",
    "is_alike",
    "is_decided",
    "is_settled",
    "keys_of",
    "normalise",
    "shared_words",
    "tells_apart",
]

_LOOSE_KEYS = frozenset(("starts", "begins", "says", "named"))
"""Keys of wording: many claims on different subjects may share one."""
ALIKE = 0.7
"""Share of content words from which two inferred lessons are signals of the same one."""


@dataclass(frozen=True, slots=True)
class New:
    """A claim that is to be remembered."""

    text: str
    normal: NormalClaim
    tag: Tag
    since: date
    slot: str = ""
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done; at most one of the first three is set, besides what it strikes."""

    rule: str
    known: Claim | None = None
    """Memory holds it already, live or as history."""
    successor: Claim | None = None
    """A live claim that is newer than the new one, which therefore is history."""
    rivals: tuple[Claim, ...] = ()
    """Both sides stay and are marked."""
    superseded: tuple[Claim, ...] = ()
    """To be struck, the one beside which the new line goes first."""
    related: tuple[Claim, ...] = ()


def keys_of(new: New) -> tuple[str, ...]:
    """Return the keys under which the rivals of a new claim are kept."""
    declared = (declared_key(new.slot),) if new.slot else ()
    return (*declared, *slot_keys(new.normal))


def tells_apart(key: str) -> bool:
    """Whether a key names a slot, so that claims which share it are rivals, however many."""
    return key.partition("\x1f")[0] not in _LOOSE_KEYS


def decide(
    new: New,
    old: Sequence[Claim],
    likeness: Callable[[str], float | None] = lambda _: None,
    judged: Judged = UNJUDGED,
) -> Decision:
    """Return what `new` does to the claims in `old`, which are those of the files as they are.

    `likeness` gives the cosine of the new claim and a text, None where it is not known; `judged` is
    what a model said, which counts where no rule is sure. A claim is struck only by one that is at
    least as new and at least as trusted, or that names it.
    """
    compared = [(claim, _verdict(new, claim, likeness, judged)) for claim in old]
    live = [(claim, verdict) for claim, verdict in compared if claim.live]
    known = _known(new, live)
    history = None if known else _history(new, compared)
    related = tuple(claim for claim, verdict in live if isinstance(verdict, Related))
    if history is not None:
        return Decision("it held before and was superseded", known=history, related=related)
    struck, rivals, successor, rule = _parted(new, live)
    if known is not None:
        # Told again later, it ends what came between; sides of a conflict wait for a ruling.
        past = [old for old in struck if not old.conflict and old.since and old.since < new.since]
        return Decision(known[1], known=known[0], superseded=tuple(past), related=related)
    if rivals:
        return Decision(rule, rivals=rivals, related=related)
    if successor is not None and not struck:
        return Decision("memory holds a newer one", successor=successor, related=related)
    return Decision(rule or "nothing like it is known", superseded=struck, related=related)


def is_alike(first: NormalClaim, second: NormalClaim) -> bool:
    """Whether two sentences are signals of one lesson: the same words, nearly, and negation."""
    if (first.negation == "none") != (second.negation == "none"):
        return False
    mine, other = set(first.content), set(second.content)
    return bool(mine and other) and len(mine & other) >= ALIKE * len(mine | other)


def opposes(new: NormalClaim, old: NormalClaim) -> bool:
    """Whether a new sentence speaks against an old one."""
    return isinstance(compare(new, old), Contradicts | Updates)


class Concern(enum.Enum):
    """How far a claim that an index found matters to a new one."""

    NONE = "none"
    MENTION = "mention"
    """Both stay as they are."""
    EDIT = "edit"
    """It may be struck, marked or found to say the same: its file decides."""


def concerns(new: New, claim: Claim, judged: Judged = UNJUDGED) -> Concern:
    """Return whether a claim found in an index has to be looked at in its file."""
    verdict = _verdict(new, claim, lambda _: None, judged)
    if isinstance(verdict, Same | Updates | Contradicts) or (new.slot and not claim.slot):
        return Concern.EDIT
    return Concern.MENTION if isinstance(verdict, Related) else Concern.NONE


def hangs_on_likeness(new: New, claim: Claim) -> bool:
    """Whether it matters how alike both are; then alone it is worth asking an embedder."""
    return _by_rules(new, claim, lambda _: None) != _by_rules(new, claim, lambda _: 1.0)


def is_decided(new: New, claim: Claim) -> bool:
    """Whether a rule is sure what `new` does to `claim`, so that no model is asked about it."""
    return isinstance(_by_rules(new, claim, lambda _: None), Same | Updates | Contradicts)


def is_settled(new: New, claim: Claim) -> bool:
    """Whether memory holds `new` as that live claim already."""
    return claim.live and isinstance(_by_rules(new, claim, lambda _: None), Same)


def shared_words(new: New, claim: Claim) -> int:
    """Return how many words of content both have; single signs of a script without blanks are none.

    A slot that both name counts as well.
    """
    other = normalise(claim.text)
    shared = set(new.normal.content) & set(other.content)
    slots = {frame.slot for frame in new.normal.frames} & {frame.slot for frame in other.frames}
    return sum(len(word) > 1 or word.isascii() for word in shared) + len(shared) // 2 + len(slots)


def _verdict(
    new: New, claim: Claim, likeness: Callable[[str], float | None], judged: Judged
) -> Verdict:
    by_rules = _by_rules(new, claim, likeness)
    relation = judged.of(claim) if claim.live else None
    if relation is None or is_decided(new, claim):
        return by_rules
    return _by_model(new, claim, relation, by_rules)


def _by_model(new: New, claim: Claim, relation: Relation, by_rules: Verdict) -> Verdict:
    """Return a model's verdict: its word alone neither raises a tag nor leaves anything out."""
    match relation:
        case Relation.UPDATES:
            return Updates("a model: it takes the older one's place")
        case Relation.CONTRADICTS:
            return Contradicts("a model: both cannot hold")
        case Relation.SAME if not _adds_nothing(new.normal, normalise(claim.text)):
            return Related("a model: the same, yet not in every part")
        case Relation.SAME if new.tag.rank > claim.tag.rank:
            return Updates("a model: the same from a better source")
        case Relation.SAME:
            return Same("a model: the same in other words")
        case Relation.APART:
            both = Related("a model: both hold")
            return both if isinstance(by_rules, Contradicts) else by_rules


def _adds_nothing(new: NormalClaim, old: NormalClaim) -> bool:
    """Whether every number and every denial of the new claim is in the old one."""
    numbers = {key for key in new.keys if any(sign.isdigit() for sign in key)}
    return new.negation == old.negation and numbers <= set(old.keys)


def _by_rules(new: New, claim: Claim, likeness: Callable[[str], float | None]) -> Verdict:
    if claim.id and claim.id in new.supersedes:
        return Updates("the call named it")
    if new.slot and claim.slot and declared_key(new.slot) == declared_key(claim.slot):
        same = normalise(claim.text).keys == new.normal.keys
        return Same("the same words") if same else Updates("the declared slot holds one value")
    return compare(new.normal, normalise(claim.text), likeness(claim.text))


def _known(new: New, live: Iterable[tuple[Claim, Verdict]]) -> tuple[Claim, str] | None:
    same = [(claim, verdict.rule) for claim, verdict in live if isinstance(verdict, Same)]
    if not same:
        return None
    return max(same, key=lambda found: (found[0].text == new.text, found[0].tag.rank))


def _history(new: New, judged: Iterable[tuple[Claim, Verdict]]) -> Claim | None:
    """Return the struck claim that a repeated write made or confirmed, within its validity: the
    same words, or the same value of the same slot in others.

    On the very day of the change a repetition cannot be told from changing one's mind back, so it
    counts as repetition; `supersedes` brings an old value back.
    """
    if new.supersedes:
        return None
    words = new.text.casefold()
    for claim, verdict in judged:
        if claim.live or not (claim.text.casefold() == words or isinstance(verdict, Same)):
            continue
        if (claim.since is None or new.since >= claim.since) and (
            claim.until is not None and new.since <= claim.until
        ):
            return claim
    return None


def _parted(
    new: New, live: Sequence[tuple[Claim, Verdict]]
) -> tuple[tuple[Claim, ...], tuple[Claim, ...], Claim | None, str]:
    """Return what is struck, what is a rival, a newer claim, and the rule that said so first."""
    struck: list[Claim] = []
    rivals: list[Claim] = []
    successor: Claim | None = None
    rules: list[str] = []
    for claim, verdict in live:
        named = claim.id in new.supersedes
        if isinstance(verdict, Contradicts):
            rivals.append(claim)
        elif not isinstance(verdict, Updates):
            continue
        elif not named and claim.since is not None and claim.since > new.since:
            successor = claim
        elif _may_replace(new.tag, claim.tag, named=named):
            struck.append(claim)
        else:
            rivals.append(claim)
        rules.append(verdict.rule)
    if any(claim.id in new.supersedes for claim in struck):
        rivals = []
    return tuple(struck), tuple(rivals), successor, rules[0] if rules else ""


def _may_replace(new: Tag, old: Tag, *, named: bool) -> bool:
    """A proposal replaces nothing that holds, also when it names it."""
    if named and new is not Tag.SUGGESTED:
        return True
    return new.rank >= old.rank
