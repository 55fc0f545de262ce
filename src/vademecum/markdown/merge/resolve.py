"""One claim in three versions: which lines both sides come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.provenance import Tag, least_trusted
from vademecum.markdown.claims import read_claims, render_claim, strike, with_id
from vademecum.markdown.merge.pairing import Piece
from vademecum.markdown.wording import words_of

_T = TypeVar("_T")
_OWN_ID = re.compile(r"[ \t]*\^[A-Za-z0-9-]+[ \t]*(?=\r?\n?\Z)")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The lines of a claim, none for one that is gone, and why a person has to rule."""

    lines: tuple[str, ...]
    conflict: str = ""
    rivals: tuple[str, ...] = ()
    """Ids that the conflict is between."""
    successors: tuple[str, ...] = ()
    """Ids of two claims that both sides put in its place."""


def resolve(
    base: Piece | None, ours: Piece | None, theirs: Piece | None, *, moved: bool, day: date
) -> Resolved:
    """Return what a claim comes to.

    What one side did stands. Struck beats live; a change and a strike are both carried out. Of two
    wordings the newer that a person stated stands and the other is struck; else both stay and are
    a conflict, as is a claim that one side removed and the other changed. `moved` says that the
    side which still has the claim put it elsewhere.
    """
    if ours is None or theirs is None:
        return _one_sided(base, ours or theirs, moved=moved)
    if ours.raw == theirs.raw or (base and theirs.raw == base.raw):
        return Resolved((ours.raw,))
    if base and ours.raw == base.raw:
        return Resolved((theirs.raw,))
    return _both_changed(base, ours, theirs, day)


def beats(first: Claim, second: Claim) -> bool:
    """Whether the first claim is newer than the second and a person stated it."""
    if first.since is None or second.since is None:
        return False
    return first.tag is Tag.STATED and first.since > second.since


def own_id(raw: str, taken: Sequence[str] = ()) -> str:
    """Return a block id made of a claim's lines: the same wherever they are merged."""
    digest = text_digest(words_of(raw))
    for start in range(0, len(digest) - 6):
        candidate = digest[start : start + 6]
        if candidate not in taken and not candidate.isdigit():
            return candidate
    return digest


def _one_sided(base: Piece | None, left: Piece | None, *, moved: bool) -> Resolved:
    if left is None or left.claim is None:
        return Resolved(())
    if base is None:
        return Resolved((left.raw,))
    if left.raw == base.raw and not moved:
        return Resolved(())
    if not left.claim.live:
        return Resolved((left.raw,))
    id = left.claim.id or own_id(left.raw)
    did = "moved" if left.raw == base.raw else "changed"
    return Resolved((with_id(left.raw, id),), f"one side removed what the other {did}", (id,))


def _both_changed(base: Piece | None, ours: Piece, theirs: Piece, day: date) -> Resolved:
    mine, yours = _claim(ours), _claim(theirs)
    if not mine.live and not yours.live:
        return _both_struck(ours, theirs)
    if not mine.live or not yours.live:
        struck, live = (ours, theirs) if not mine.live else (theirs, ours)
        return Resolved((_struck_as(struck, live, base, day),))
    old = _claim(base) if base else None
    wording = _three(old.text if old else None, mine.text, yours.text)
    if words_of(mine.text) == words_of(yours.text):
        wording = min(mine.text, yours.text) if wording is None else wording
    if wording is not None:
        return Resolved((_composed(wording, old, ours, theirs),))
    return _rivals(ours, theirs, day)


def _both_struck(ours: Piece, theirs: Piece) -> Resolved:
    mine, yours = _claim(ours), _claim(theirs)
    first, second = sorted(
        (ours, theirs), key=lambda piece: (_claim(piece).until or date.min, piece.raw), reverse=True
    )
    successors = tuple(sorted({mine.superseded_by, yours.superseded_by} - {""}))
    if words_of(mine.text) == words_of(yours.text):
        return Resolved((first.raw,), successors=successors if len(successors) > 1 else ())
    return Resolved((first.raw, without_id(second.raw)), successors=successors)


def _struck_as(struck: Piece, live: Piece, base: Piece | None, day: date) -> str:
    """Return the struck line, with the wording that the other side gave the claim meanwhile."""
    dead, other = _claim(struck), _claim(live)
    if base is not None and words_of(other.text) == words_of(_claim(base).text):
        return struck.raw
    if words_of(other.text) == words_of(dead.text):
        return struck.raw
    raw = live.raw if other.id or not dead.id else with_id(live.raw, dead.id)
    edited = strike(raw, dead.until or day, dead.superseded_by)
    if base is None or words_of(dead.text) != words_of(_claim(base).text):
        return without_id(edited) + struck.raw  # two wordings, both history
    return edited


def _composed(text: str, old: Claim | None, ours: Piece, theirs: Piece) -> str:
    """Return one line of what both sides changed about it: tag, date, evidence, slot."""
    mine, yours = _claim(ours), _claim(theirs)
    tag = _three(old.tag if old else None, mine.tag, yours.tag)
    since = _three(old.since if old else None, mine.since, yours.since)
    if since is None:
        since = max((day for day in (mine.since, yours.since) if day), default=None)
    before = old.evidence if old else ()
    dropped = {link for link in before if link not in mine.evidence or link not in yours.evidence}
    line = render_claim(
        text,
        least_trusted((mine.tag, yours.tag)) if tag is None else tag,
        since=since,
        evidence=[e for e in dict.fromkeys((*mine.evidence, *yours.evidence)) if e not in dropped],
        slot=_three(old.slot if old else None, mine.slot, yours.slot) or mine.slot,
        id=mine.id or yours.id,
    )
    indent = ours.raw[: len(ours.raw) - len(ours.raw.lstrip(" \t"))]
    return f"{indent}{line}\n"


def _rivals(ours: Piece, theirs: Piece, day: date) -> Resolved:
    """Return two wordings of one claim: the newer stated one first, else both as a conflict."""
    mine, yours = _claim(ours), _claim(theirs)
    if beats(mine, yours):
        return Resolved((ours.raw, _beaten(theirs, ours, day)))
    if beats(yours, mine):
        return Resolved((theirs.raw, _beaten(ours, theirs, day)))
    first, second = sorted(
        (ours, theirs), key=lambda piece: (_claim(piece).since or date.min, piece.raw)
    )
    one = mine.id or yours.id or own_id(first.raw)
    other = own_id(second.raw, (one,))
    lines = (with_id(without_id(first.raw), one), with_id(without_id(second.raw), other))
    return Resolved(lines, "both sides changed the same claim", (one, other))


def _beaten(loser: Piece, winner: Piece, day: date) -> str:
    by = _claim(winner)
    return strike(without_id(loser.raw), by.since or day, by.id)


def without_id(raw: str) -> str:
    """Return a claim's lines without their block id: another line has it now."""
    return _OWN_ID.sub("", raw)


def _three(base: _T | None, ours: _T, theirs: _T) -> _T | None:
    """Return what one side changed, None where both did, differently."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def _claim(piece: Piece) -> Claim:
    assert piece.claim is not None
    return piece.claim


def claim_in(raw: str) -> Claim | None:
    """Return the claim that lines hold, whatever note they stand in."""
    found = read_claims("", raw)
    return found[0] if found else None
