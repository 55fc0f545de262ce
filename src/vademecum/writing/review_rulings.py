"""Rulings: keep, rule, merge, drop and release what waits, each as one group of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.core.changes import Signature
from vademecum.core.claims import Claim
from vademecum.core.clock import human_day
from vademecum.core.errors import BadInput, ChangedMeanwhile, ClaimNotFound, Refused
from vademecum.core.ports import ClaimReader
from vademecum.core.provenance import Actor, Tag
from vademecum.core.review import Item, Matter, Ruled, Ruling
from vademecum.markdown.frontmatter import read, remove_key, set_value
from vademecum.markdown.merge.removed import removed_line, without_removed
from vademecum.markdown.standing import instant_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.apply import finish
from vademecum.writing.draft import Draft
from vademecum.writing.review import items, place_of
from vademecum.writing.review_belief import believed
from vademecum.writing.review_edits import both_hold, conflicts_in, struck_as, without_conflict
from vademecum.writing.review_targets import (
    Call,
    check_editable,
    claim_named,
    edit,
    is_apart,
    is_waiting,
    note_named,
    with_ids,
)
from vademecum.writing.review_versions import drop_note, fold_version, put_away
from vademecum.writing.signing import sign
from vademecum.writing.supersede import found_again, retagged
from vademecum.writing.turns import claims_turn, maps_turn

_ATTEMPTS = 5
_FOR_PEOPLE = frozenset({Ruling.RULE, Ruling.RELEASE})


def rule(
    workspace: Workspace,
    reader: ClaimReader,
    ruling: Ruling,
    target: str,
    *,
    actor: Actor,
    choice: str = "",
    tag: Tag | None = None,
    by_person: bool = False,
) -> Ruled:
    """Carry out a ruling about `target`, an id as `items` lists it, or `PATH:LINE`.

    `choice` is the claim that holds, for `rule`; `tag` what a released or kept claim carries.
    Nothing is deleted: what does not hold is struck and dated. A ruling that was carried out
    before changes nothing. Raises ClaimNotFound, AmbiguousTarget, BadInput, Refused (what only a
    person may rule, and none does) and what any write raises.
    """
    call = Call(
        workspace,
        reader,
        actor,
        human_day(workspace.clock.now(), workspace.zone),
        target.strip(),
        choice.strip(),
        tag,
    )
    if ruling in _FOR_PEOPLE and not by_person:
        raise Refused(
            f"Only a person may {ruling.value}; nothing was changed.",
            hint=f"Ask them to run: vade review {ruling.value} {target}",
        )
    if ruling in (Ruling.MERGE, Ruling.DROP) and (path := note_named(call)):
        done = _of_version(call, ruling, path)
        if done is None and ruling is Ruling.DROP:
            done = _of_removed(call, path, by_person)
        if done is not None:
            return done
    step = _STEPS[ruling]
    return _carried_out(call, ruling, lambda draft: step(draft, call, by_person))


def _carried_out(call: Call, ruling: Ruling, plan: Callable[[Draft], Ruled]) -> Ruled:
    """Plan and write until nobody wrote in between; `remember` waits meanwhile."""
    attempt = 1
    with claims_turn(call.workspace), maps_turn(call.workspace):
        while True:
            draft = Draft(call.workspace)
            ruled = plan(draft)
            try:
                change = draft.write(lambda group: _signed(call, ruling, group))
            except ChangedMeanwhile:
                attempt += 1
                if attempt > _ATTEMPTS:
                    raise
                continue
            claims = tuple(
                again
                for claim in ruled.claims
                for again in found_again(
                    draft.text(claim.span.path) or "", claim.span.path, (claim,)
                )
            )
            return replace(ruled, change=change, claims=claims)


def _signed(call: Call, ruling: Ruling, group: str) -> Signature:
    chosen = f" for {call.choice}" if call.choice else ""
    what = f"{ruling.value} {call.target}{chosen}"
    return sign(call.workspace, call.actor, "review", what, group=group)


# ------------------------------------------------------------ keep


def _keep(draft: Draft, call: Call, by_person: bool) -> Ruled:
    if path := note_named(call):
        if removed_line(text := draft.text(path) or ""):
            draft.put(path, without_removed(text))
            finish(draft, call.today)
            return Ruled(call.target, Ruling.KEEP, f"{path} stays.")
        return _verify(draft, call, path, ())
    claim = claim_named(draft, call, call.target)
    if is_apart(call.workspace, claim):
        raise BadInput(
            f"{place_of(claim)} is in quarantine.",
            hint=f"Release it with your tag: vade review release {place_of(claim)} --tag stated",
        )
    if is_waiting(call.workspace, claim):
        if not by_person:
            raise Refused(
                "Only a person may let a candidate pass the gate; nothing was changed.",
                hint="Remember it again when a further signal was seen.",
            )
        return _promote(draft, call, claim)
    check_editable(call.workspace, claim)
    item = _item_with(call, claim, (Matter.CONFLICT, Matter.RIVALS, Matter.DUPLICATE))
    if item is not None:
        return _let_stand(draft, call, item)
    return _verify(draft, call, claim.span.path, (claim,))


def _promote(draft: Draft, call: Call, claim: Claim) -> Ruled:
    if not claim.live:
        return Ruled(call.target, Ruling.KEEP, "It was dropped before and stays so.")
    held = believed(draft, call, claim, call.tag or claim.tag)
    return Ruled(call.target, Ruling.KEEP, "The candidate is believed now.", claims=(held,))


def _let_stand(draft: Draft, call: Call, item: Item) -> Ruled:
    sides = with_ids(draft, call, item.claims)
    ids = tuple(claim.id for claim in sides)
    for path in dict.fromkeys(claim.span.path for claim in sides):
        text = draft.text(path) or ""
        for found in reversed(tuple(conflicts_in(text, path))):
            if found.ids >= set(ids) or {claim.id for claim in found.claims} >= set(ids):
                text = without_conflict(text, found.line, call.today, "both hold")
        if text == draft.text(path):
            text = both_hold(text, path, call.today, ids)
        draft.put(path, text)
    finish(draft, call.today)
    return Ruled(call.target, Ruling.KEEP, "All of them hold, and that is noted.", claims=sides)


def _verify(draft: Draft, call: Call, path: str, claims: tuple[Claim, ...]) -> Ruled:
    """Note that a note holds today; a `stale_after` that has passed is answered by that."""
    text = draft.text(path) or ""
    day, told = call.today.isoformat(), ""
    expires = instant_of(read(text).text("stale_after"))
    if expires is not None and expires <= call.workspace.clock.now():
        text = remove_key(text, "stale_after")
        told = " Its `stale_after` had passed and is taken out."
    if read(text).text("last_verified") < day:
        text = set_value(text, "last_verified", day)
    if text != draft.text(path):
        draft.put(path, text)
    return Ruled(call.target, Ruling.KEEP, f"{path} is verified as of {day}.{told}", claims=claims)


# ------------------------------------------------------------ rule


def _rule(draft: Draft, call: Call, by_person: bool) -> Ruled:
    del by_person  # checked for all that only people may do
    if not call.choice:
        raise BadInput("Which claim holds?", hint=f"vade review rule {call.target} --for CLAIM")
    winner = claim_named(draft, call, call.choice)
    named = claim_named(draft, call, call.target)
    item = _item_with(call, named, (Matter.CONFLICT, Matter.RIVALS), winner)
    if item is None:
        return _ruled_before(call, named, winner)
    losers = tuple(claim for claim in item.claims if not _is_one(claim, winner))
    (winner,) = with_ids(draft, call, (winner,))
    edit(
        draft,
        losers,
        lambda text, now: struck_as(text, now, call.today, winner.id, "ruled", call.form),
    )
    _settle(draft, call, item)
    if is_waiting(call.workspace, winner):
        winner = believed(draft, call, winner, call.tag or winner.tag)
    finish(draft, call.today)
    told = f"{place_of(winner)} holds; {len(losers)} struck."
    return Ruled(call.target, Ruling.RULE, told, claims=(winner, *losers))


def _ruled_before(call: Call, named: Claim, winner: Claim) -> Ruled:
    done = winner.live and (named.superseded_by == winner.id or _is_one(named, winner))
    if not done:
        raise BadInput(
            f"{place_of(named)} and {place_of(winner)} are no sides of one conflict.",
            hint="`vade review` lists the conflicts and their sides.",
        )
    return Ruled(call.target, Ruling.RULE, "That was ruled before.", claims=(winner,))


def _settle(draft: Draft, call: Call, item: Item) -> None:
    """Tell callouts without ids as settled; those with ids are settled by what is struck."""
    for path in dict.fromkeys(claim.span.path for claim in item.claims):
        text = draft.text(path) or ""
        for found in reversed(tuple(conflicts_in(text, path))):
            concerned = {claim.text for claim in found.claims}
            if not found.order and concerned & {claim.text for claim in item.claims}:
                text = without_conflict(text, found.line, call.today, "settled")
        draft.put(path, text)


# ------------------------------------------------------------ merge, drop, release


def _merge(draft: Draft, call: Call, by_person: bool) -> Ruled:
    del by_person
    named = claim_named(draft, call, call.target)
    item = _item_with(call, named, (Matter.DUPLICATE,))
    if item is None:
        told = "Nothing else says the same." if named.live else "It was merged before."
        return Ruled(call.target, Ruling.MERGE, told, claims=(named,))
    (stays,) = with_ids(draft, call, (named,))
    rest = tuple(claim for claim in item.claims if not _is_one(claim, named))
    link = f"duplicate of [[{stays.span.path.removesuffix('.md')}#^{stays.id}]]"
    edit(draft, rest, lambda text, now: struck_as(text, now, call.today, stays.id, link, call.form))
    evidence = tuple(link for claim in rest for link in claim.evidence)
    if set(evidence) - set(stays.evidence):
        edit(draft, (stays,), lambda text, now: retagged(text, now, now.tag, evidence))
    finish(draft, call.today)
    told = f"{place_of(stays)} stays; {len(rest)} struck as duplicates of it."
    return Ruled(call.target, Ruling.MERGE, told, claims=(stays, *rest))


def _drop(draft: Draft, call: Call, by_person: bool) -> Ruled:
    del by_person
    claim = _claim_to_drop(draft, call)
    check_editable(call.workspace, claim)
    if not claim.live:
        return Ruled(call.target, Ruling.DROP, "It was struck before.", claims=(claim,))
    kept_apart = is_apart(call.workspace, claim)
    why = "dropped" if kept_apart or is_waiting(call.workspace, claim) else "ended"
    edit(draft, (claim,), lambda text, now: struck_as(text, now, call.today, "", why, call.form))
    if not kept_apart:  # a file of the quarantine has neither frontmatter nor maps to keep
        finish(draft, call.today)
    return Ruled(call.target, Ruling.DROP, f"{place_of(claim)} is struck.", claims=(claim,))


def _claim_to_drop(draft: Draft, call: Call) -> Claim:
    path = note_named(call)
    if not path:
        return claim_named(draft, call, call.target)
    live = [c for c in call.reader.claims_in((path,)) if c.live]
    if len(live) == 1:
        return live[0]
    if not live:
        raise ClaimNotFound(f"{path} has no live claim.", hint=f"See: vade get {path}.")
    named = ", ".join(place_of(claim) for claim in live[:8])
    raise BadInput(f"{path} has {len(live)} live claims.", hint=f"Name one of: {named}.")


def _release(draft: Draft, call: Call, by_person: bool) -> Ruled:
    del by_person  # checked for all that only people may do
    claim = claim_named(draft, call, call.target)
    if not is_apart(call.workspace, claim):
        raise BadInput(f"{place_of(claim)} is not in quarantine.", hint="See: vade review.")
    if not claim.live:
        return Ruled(call.target, Ruling.RELEASE, "It was released or dropped before.")
    if call.tag is None:
        raise BadInput(
            "A released claim needs the tag that you give it.",
            hint=f"vade review release {place_of(claim)} --tag stated",
        )
    held = believed(draft, call, claim, call.tag)
    return Ruled(call.target, Ruling.RELEASE, "It is out of quarantine.", claims=(held,))


# ------------------------------------------------------------ shared


def _of_version(call: Call, ruling: Ruling, path: str) -> Ruled | None:
    """Carry out what is about a kept version of a file; None where `path` is none."""
    item = next(
        (
            item
            for item in items(call.workspace, call.reader)
            if item.matter is Matter.VERSION and item.id == path
        ),
        None,
    )
    if item is None or (ruling is Ruling.DROP and ruling not in item.rulings):
        return None
    if ruling is Ruling.MERGE:
        return fold_version(call, path, lambda group: _signed(call, ruling, group))
    return put_away(call, path, _signed(call, ruling, ""))


def _of_removed(call: Call, path: str, by_person: bool) -> Ruled | None:
    """Remove a note that another clone had removed before; None where `path` is no such note."""
    if not removed_line(Draft(call.workspace).text(path) or ""):
        return None
    if not by_person:
        raise Refused(
            "Only a person may remove a note; nothing was changed.",
            hint=f"Ask them to run: vade review drop {path}",
        )
    return drop_note(call, path, lambda group: _signed(call, Ruling.DROP, group))


def _item_with(call: Call, claim: Claim, matters: Sequence[Matter], *others: Claim) -> Item | None:
    """Return the item of one of those matters in which the claim, and the others, stand."""
    for item in items(call.workspace, call.reader):
        if item.matter in matters and all(
            any(_is_one(side, wanted) for side in item.claims) for wanted in (claim, *others)
        ):
            return item
    return None


def _is_one(claim: Claim, other: Claim) -> bool:
    if claim.span.path != other.span.path:
        return False
    return claim.id == other.id if claim.id or other.id else claim.text == other.text


_STEPS: dict[Ruling, Callable[[Draft, Call, bool], Ruled]] = {
    Ruling.KEEP: _keep,
    Ruling.RULE: _rule,
    Ruling.MERGE: _merge,
    Ruling.DROP: _drop,
    Ruling.RELEASE: _release,
}
