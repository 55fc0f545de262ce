"""Notes of claims in three versions, merged claim by claim and line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from vademecum.core.claims import Claim
from vademecum.core.errors import MalformedFrontmatter
from vademecum.markdown.claims import conflict_callout, read_claims, strike, with_id
from vademecum.markdown.compare import Contradicts, Updates, compare, normalise
from vademecum.markdown.frontmatter import read, set_value
from vademecum.markdown.lines import split
from vademecum.markdown.merge.derived import agreeing
from vademecum.markdown.merge.heads import Head, merge_heads
from vademecum.markdown.merge.pairing import Piece, aliases, pieces_of, renamed
from vademecum.markdown.merge.resolve import Resolved, beats, claim_in, own_id, resolve
from vademecum.markdown.merge.three_way import matches
from vademecum.markdown.merge.versions import Merged, Version
from vademecum.markdown.merge.weave import MARKER, is_claim, placed, weave
from vademecum.markdown.wording import words_of

_MOST_COMPARED = 400
"""Pairs of new claims that are compared; more were not written by hand between two merges."""


@dataclass(slots=True)
class _Work:
    """What is known while a note is merged."""

    day: date
    lines: dict[str, list[str]] = field(default_factory=dict)
    """Lines of each claim by its key."""
    callouts: list[tuple[tuple[str, ...], tuple[str, ...], str]] = field(default_factory=list)
    """Keys and ids of claims in conflict, and why."""
    conflicts: list[str] = field(default_factory=list)
    ids: bool = False
    """Whether claims, and not only prose or properties, are in conflict."""


def merge_notes(
    path: str, base: Version, ours: Version, theirs: Version, *, day: date, marker: int = MARKER
) -> Merged:
    """Return what both sides made of a note; see the package for the rules."""
    ids = aliases(path, base, ours, theirs)
    ours, theirs = renamed(ours, ids), renamed(theirs, ids)
    old, mine, yours = pieces_of(path, base, ours, theirs)
    work = _Work(day)
    found = _resolve(old, mine, yours, day)
    for key, resolved in found.items():
        work.lines[key] = list(resolved.lines)
        if resolved.conflict:
            work.callouts.append(((key,), resolved.rivals, resolved.conflict))
    _part_rivals(work, old, mine, yours, found)
    claims = [claim for lines in work.lines.values() if lines and (claim := claim_in(lines[0]))]
    told, live = ([claim.text for claim in claims], [claim.text for claim in claims if claim.live])
    agreed = agreeing(base, ours, theirs, told, live)
    if agreed != (ours, theirs):
        return merge_notes(path, base, *agreed, day=day, marker=marker)
    tokens = [[piece.key for piece in pieces] for pieces in (old, mine, yours)]
    woven = weave(*tokens, marker=marker)
    if woven.clashes:
        work.conflicts.append(f"both sides rewrote the same lines at {woven.clashes} place(s)")
    order = placed(woven.tokens, lambda key: bool(work.lines.get(key)), tokens[1], tokens[2])
    _call_out(work, order)
    body = _body(work, order, tokens[1:])
    head = merge_heads(base, ours, theirs)
    text = _with_head(head, body, work)
    text = _flag_revived(path, text, (ours.text, theirs.text), work)
    return Merged(_marked(text) if work.ids else text, tuple(work.conflicts))


def _body(work: _Work, order: Sequence[str], sides: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of the order; text that stood below no claim does not become part of one."""
    below = {pair for side in sides for pair in pairwise(side)}
    body: list[str] = []
    for above, token in pairwise(("", *order)):
        if is_claim(token):
            body += work.lines[token]
            continue
        if is_claim(above) and token.strip() and (above, token) not in below:
            body.append("\n")
        body.append(token)
    return body


def _resolve(
    old: Sequence[Piece], mine: Sequence[Piece], yours: Sequence[Piece], day: date
) -> dict[str, Resolved]:
    before, first, second = (_by_key(pieces) for pieces in (old, mine, yours))
    moved = _moved(old, mine) | _moved(old, yours)
    return {
        key: resolve(before.get(key), first.get(key), second.get(key), moved=key in moved, day=day)
        for key in {**first, **second}
    }


def _by_key(pieces: Sequence[Piece]) -> dict[str, Piece]:
    return {piece.key: piece for piece in pieces if piece.claim is not None}


def _moved(old: Sequence[Piece], side: Sequence[Piece]) -> set[str]:
    """Return the claims that a side put elsewhere among the lines it kept."""
    kept = {piece.key for piece in side}
    still = [piece.key for piece in old if piece.key in kept and piece.key.strip()]
    now = [piece.key for piece in side if piece.key.strip()]
    runs = matches(still, now)
    in_place = {still[start + step] for start, _, length in runs for step in range(length)}
    return {key for key in still if is_claim(key) and key not in in_place}


def _call_out(work: _Work, order: Sequence[str]) -> None:
    """Put each callout behind the last of its claims: it is read as about those above it."""
    places = {key: at for at, key in reversed(list(enumerate(order)))}
    for keys, ids, why in work.callouts:
        last = max((key for key in keys if key in places), key=places.__getitem__)
        work.lines[last].append(conflict_callout(work.day, ids, why) + "\n")
        work.conflicts.append(f"{why}: {' '.join('^' + id for id in ids)}")
        work.ids = True


def _part_rivals(
    work: _Work,
    old: Sequence[Piece],
    mine: Sequence[Piece],
    yours: Sequence[Piece],
    found: Mapping[str, Resolved],
) -> None:
    """Rule between what one side says anew and what the other does, or mark both."""
    before, first, second = (_by_key(pieces) for pieces in (old, mine, yours))
    new_mine = [key for key in first if _is_news(key, before, first, second)]
    new_yours = [key for key in second if _is_news(key, before, second, first)]
    for ids in {resolved.successors for resolved in found.values() if resolved.successors}:
        one, two = _key_of(work, ids[0]), _key_of(work, ids[-1])
        if one and two:
            _rule(work, one, two, "both sides put something else in the same place")
    if len(new_mine) * len(new_yours) > _MOST_COMPARED:
        return
    for one in new_mine:
        for two in new_yours:
            if _are_rivals(work, one, two):
                _rule(work, one, two, "each side says something else")


def _is_news(
    key: str,
    before: Mapping[str, Piece],
    side: Mapping[str, Piece],
    other: Mapping[str, Piece],
) -> bool:
    if key not in before:
        return key not in other
    told = side[key].claim, before[key].claim
    return all(told) and words_of(told[0].text) != words_of(told[1].text)  # type: ignore[union-attr]  # all of them are there


def _key_of(work: _Work, id: str) -> str:
    for key, lines in work.lines.items():
        claim = claim_in(lines[0]) if lines else None
        if claim is not None and claim.id == id and claim.live:
            return key
    return ""


def _standing(work: _Work, key: str) -> Claim | None:
    lines = work.lines.get(key)
    claim = claim_in(lines[0]) if lines else None
    return claim if claim is not None and claim.live else None


def _are_rivals(work: _Work, one: str, two: str) -> bool:
    first, second = _standing(work, one), _standing(work, two)
    if one == two or first is None or second is None:
        return False
    newer, older = first, second
    if (second.since or date.min) > (first.since or date.min):
        newer, older = second, first
    verdict = compare(normalise(newer.text), normalise(older.text))
    return isinstance(verdict, Updates | Contradicts)


def _rule(work: _Work, one: str, two: str, why: str) -> None:
    first, second = _standing(work, one), _standing(work, two)
    if first is None or second is None:
        return
    for winner, loser, key in ((first, second, two), (second, first, one)):
        if beats(winner, loser):
            until = winner.since or work.day
            work.lines[key][0] = strike(work.lines[key][0], until, winner.id)
            return
    ids = []
    for key in (one, two):
        raw = work.lines[key][0]
        work.lines[key][0] = with_id(raw, own_id(raw))
        claim = claim_in(work.lines[key][0])
        ids.append(claim.id if claim else "")
    if not any(set(ids) == set(told) for _, told, _ in work.callouts):
        work.callouts.append(((one, two), tuple(ids), why))


def _with_head(head: Head, body: Sequence[str], work: _Work) -> str:
    """Return the note, with what found no place in its frontmatter right below it."""
    lost = []
    for key, lines in head.lost:
        what = f"`{key}` of the frontmatter" if key else "the frontmatter"
        why = f"both sides changed {what}, the other side to"
        lost.append(f"> ⚠️ MERGED ({work.day.isoformat()}): {why}\n")
        lost += [f"> {line}" for line in lines]
        work.conflicts.append(f"both sides changed {what.replace('`', '')}")
    if lost:
        lost = ["\n", *lost, *([] if body and not body[0].strip() else ["\n"])]
    return "".join((*head.lines, *lost, *body))


def _flag_revived(path: str, text: str, sides: Sequence[str], work: _Work) -> str:
    """Mark what would be live and struck at once although neither side had it so."""
    known = {words for side in sides for words, _ in _pairs(path, side)}
    why = "one side struck what the other says"
    lines = split(text)
    revived = [
        claim for words, claim in _pairs(path, text) if words not in known and not claim.conflict
    ]
    for claim in reversed(revived):  # so that the lines above keep their numbers
        raw = "".join(lines[claim.span.first - 1 : claim.span.last])
        id = claim.id or own_id(raw)
        flagged = with_id(raw, id) + conflict_callout(work.day, (id,), why) + "\n"
        lines[claim.span.first - 1 : claim.span.last] = [flagged]
        work.conflicts.append(f"{why}: ^{id}")
        work.ids = True
    return "".join(lines)


def _pairs(path: str, text: str) -> list[tuple[str, Claim]]:
    claims = read_claims(path, text)
    dead = {words_of(claim.text) for claim in claims if not claim.live}
    return [
        (words, claim) for claim in claims if claim.live and (words := words_of(claim.text)) in dead
    ]


def _marked(text: str) -> str:
    """Return the note with `status: conflict`, where its frontmatter can be edited."""
    try:
        return (
            text
            if read(text).text("status") == "conflict"
            else set_value(text, "status", "conflict")
        )
    except MalformedFrontmatter:
        return text
