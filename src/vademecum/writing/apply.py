"""Apply a decision to a draft: lines, frontmatter and maps, as one set of edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.forms import PastForm
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role, Span
from vademecum.core.outcomes import Added, AlreadyKnown, Conflicted, Updated
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import block_ids, read_claims, render_claim
from vademecum.markdown.directives import directive
from vademecum.markdown.frontmatter import read
from vademecum.markdown.kinds import Kind
from vademecum.writing.budget import check_budget
from vademecum.writing.decide import Decision, New
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.names import topic
from vademecum.writing.notes import described, new_note, without_placeholder
from vademecum.writing.route import Route
from vademecum.writing.supersede import (
    add,
    claim_of,
    conflicting,
    found_again,
    has_conflict,
    identified,
    marked,
    put_after,
    put_before,
    redescribed,
    retagged,
    retitle,
    settled,
    struck,
)

CORE_SECTION = "Core Memory"
"""The section of a map that is core memory."""
Applied = Added | AlreadyKnown | Conflicted | Updated


@dataclass(frozen=True, slots=True)
class Writing:
    """What is written of a claim besides its decision."""

    new: New
    route: Route
    today: date
    make_id: Callable[[frozenset[str]], str]
    evidence: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    """Lines that follow the claim: the signals that opened the gate."""
    id: str = ""
    """Of a claim that had one before: a candidate keeps its own."""
    raised: Tag | None = None
    pinned: bool = False
    """The call named the note, so an update does not go beside what it replaces."""


def apply(draft: Draft, writing: Writing, decision: Decision) -> Applied:
    """Edit `draft` by a decision about claims that were read from it; return the outcome.

    Nothing is on disk yet. Raises OverBudget.
    """
    if decision.known is not None:
        outcome: Applied = _keep(draft, writing, decision, decision.known)
    elif decision.successor is not None:
        outcome = _as_history(draft, writing, decision, decision.successor)
    elif decision.rivals:
        outcome = _beside_rivals(draft, writing, decision)
    elif decision.superseded:
        outcome = _in_place_of(draft, writing, decision)
    else:
        outcome = _added(draft, writing, decision)
    return outcome


def finish(draft: Draft, today: date) -> None:
    """Bring frontmatter and maps of every changed note in step, and check budgets.

    Raises OverBudget.
    """
    keep_in_step(draft, settle(draft, today))


def settle(draft: Draft, today: date, *reached: str) -> tuple[str, ...]:
    """Bring the frontmatter of every changed note in step, and check budgets.

    Return the notes whose maps are to be brought in step now: also those at the paths `reached`
    that did not change, as a call that was killed may have written a note and not its maps. Raises
    OverBudget.
    """
    notes = draft.changed()
    for path in notes:
        text = draft.text(path) or ""
        if draft.workspace.role_of(path) is Role.CONCEPT:
            draft.put(path, _with_status(settled(text, path, today), path, today))
        elif draft.workspace.role_of(path) is not Role.CANDIDATES:
            draft.put(path, settled(text, path, today))
        check_budget(draft.workspace, path, draft.before(path), draft.text(path) or "")
    return tuple(dict.fromkeys((*notes, *reached)))


def new_id(draft: Draft, writing: Writing, path: str) -> str:
    """Return the id of the new claim."""
    return writing.id or writing.make_id(block_ids(draft.text(path) or ""))


def _with_status(text: str, path: str, today: date) -> str:
    properties = read(text)
    status = properties.text("status")
    claims = read_claims(path, text)
    if has_conflict(text, path):
        text = marked(text, status="conflict")
    elif claims and not any(claim.live for claim in claims):
        text = marked(text, status="superseded")
    elif status in ("conflict", "superseded"):
        text = marked(text, status="active")
    return _verified(text, today)


def _verified(text: str, today: date) -> str:
    """Return `text` with `last_verified` moved on; a note without frontmatter gets none."""
    properties = read(text)
    if not properties.last or properties.text("last_verified") >= today.isoformat():
        return text
    return marked(text, last_verified=today.isoformat())


# ------------------------------------------------------------ the five outcomes


def _keep(draft: Draft, writing: Writing, decision: Decision, known: Claim) -> Applied:
    if not known.live:
        rule = f"{decision.rule} by ^{known.superseded_by}"
        return AlreadyKnown(known.id, known.text, known.span, rule, related=_ids(decision.related))
    path = known.span.path
    text = draft.text(path) or ""
    if writing.raised is not None:
        text = retagged(text, known, writing.raised, writing.evidence)
    if draft.workspace.role_of(path) is Role.CONCEPT:
        text = _verified(text, writing.today)
    draft.put(path, text)
    # The tag is in place: the claim is the same one with another line.
    known = found_again(text, path, (known,))[0]
    if not decision.superseded:
        return AlreadyKnown(
            known.id, known.text, known.span, decision.rule, related=_ids(decision.related)
        )
    id = known.id or new_id(draft, writing, path)
    draft.put(path, identified(text, known, id))
    past = _strike_all(draft, decision.superseded, writing.new.since, id)
    return _updated(draft, path, id, decision, past)


def _as_history(draft: Draft, writing: Writing, decision: Decision, live: Claim) -> Applied:
    path = live.span.path
    text = draft.text(path) or ""
    successor = live.id or writing.make_id(block_ids(text))
    text = identified(text, live, successor)
    id = new_id(draft, writing, path)
    text = put_before(text, live, _line(writing, id))
    told = claim_of(text, path, id)
    if told is not None:
        text = struck(text, told, live.since or writing.today, successor, _form(draft))
    draft.put(path, text)
    past = claim_of(draft.text(path) or "", path, id)
    return _updated(draft, path, successor, decision, (past,) if past else ())


def _in_place_of(draft: Draft, writing: Writing, decision: Decision) -> Applied:
    home = _home(draft, decision.superseded)
    path = writing.route.path if writing.pinned else home.span.path
    id = new_id(draft, writing, path)
    beside = home.span.path == path
    if beside:
        text = draft.text(path) or ""
        after = put_after(text, home, _block(draft, writing, path, id))
        after = struck(after, home, writing.new.since, id, _form(draft))
        draft.put(path, _renamed(after, home.text, writing.new.text))
    else:
        _put_new(draft, writing, id)
    rest = [claim for claim in decision.superseded if not (beside and claim is home)]
    past = _strike_all(draft, rest, writing.new.since, id)
    dated = replace(home, struck=True, until=writing.new.since, superseded_by=id)
    return _updated(draft, path, id, decision, (dated, *past) if beside else past)


def _beside_rivals(draft: Draft, writing: Writing, decision: Decision) -> Applied:
    home = _home(draft, decision.rivals)
    path = writing.route.path if writing.pinned else home.span.path
    ids = {}
    for claim in decision.rivals:
        there = draft.text(claim.span.path) or ""
        ids[claim] = claim.id or writing.make_id(block_ids(there))
        now = found_again(there, claim.span.path, (claim,))
        if now:
            draft.put(claim.span.path, identified(there, now[0], ids[claim]))
    id = new_id(draft, writing, path)
    if path == home.span.path:
        text = draft.text(path) or ""
        beside = claim_of(text, path, ids[home]) or home
        draft.put(path, put_after(text, beside, _block(draft, writing, path, id)))
    else:
        _put_new(draft, writing, id)
    named = (*ids.values(), id)
    for place in dict.fromkeys((path, *(claim.span.path for claim in decision.rivals))):
        text = conflicting(
            draft.text(place) or "", place, writing.today, named, "these say otherwise:"
        )
        draft.put(place, text)
    span, text = _placed(draft, path, id)
    return Conflicted(
        id, text, span, decision.rule, related=_ids(decision.related), rivals=decision.rivals
    )


def _added(draft: Draft, writing: Writing, decision: Decision) -> Applied:
    id = new_id(draft, writing, writing.route.path)
    _put_new(draft, writing, id)
    span, text = _placed(draft, writing.route.path, id)
    return Added(id, text, span, decision.rule, related=_ids(decision.related))


# ------------------------------------------------------------ their steps


def _put_new(draft: Draft, writing: Writing, id: str) -> None:
    route, new = writing.route, writing.new
    text = draft.text(route.path)
    profile = draft.workspace.profile
    if text is None and route.path == profile.directives_path:
        text = f"# {route.title}\n"
    if text is None:
        title = route.title[:1].upper() + route.title[1:]
        text = new_note(route.kind, title, described(new.text), writing.today, profile=profile.name)
    block = _block(draft, writing, route.path, id)
    heading = _section(draft, route)
    text = without_placeholder(text) if heading == CORE_SECTION else text
    draft.put(route.path, add(text, route.path, block, heading))


def _block(draft: Draft, writing: Writing, path: str, id: str) -> tuple[str, ...]:
    """Return the lines of the claim as the file it goes to has them."""
    new = writing.new
    if path == draft.workspace.profile.directives_path:
        return directive(
            new.text, new.tag, new.since, evidence=writing.evidence, slot=new.slot, id=id
        )
    return (_line(writing, id), *writing.below)


def _form(draft: Draft) -> PastForm:
    return draft.workspace.profile.past_form


def _section(draft: Draft, route: Route) -> str:
    """Return the heading under which a claim goes; core memory within a map has its own."""
    profile = draft.workspace.profile
    if route.heading or not route.path == profile.core_path == profile.map_path:
        facts = profile.name == "gitmem" and route.kind is Kind.PROJECT
        return route.heading or ("Facts" if facts else "")
    return CORE_SECTION


def _line(writing: Writing, id: str) -> str:
    new = writing.new
    return render_claim(
        new.text, new.tag, since=new.since, evidence=writing.evidence, slot=new.slot, id=id
    )


def _home(draft: Draft, claims: Sequence[Claim]) -> Claim:
    """Return the claim beside which the new one goes: one in a note rather than in core memory."""
    concept = Role.CONCEPT
    return min(claims, key=lambda claim: draft.workspace.role_of(claim.span.path) is not concept)


def _strike_all(draft: Draft, claims: Sequence[Claim], day: date, by: str) -> tuple[Claim, ...]:
    past = []
    for claim in claims:
        path = claim.span.path
        text = draft.text(path) or ""
        for now in found_again(text, path, (claim,)):
            draft.put(path, struck(text, now, day, by, _form(draft)))
            past.append(replace(now, struck=True, until=day, superseded_by=by))
    return tuple(past)


def _renamed(text: str, old: str, new: str) -> str:
    """Return the note under a name that holds, where it was named after what was struck."""
    text = redescribed(text, described(old), described(new))
    for words in (12, 6):
        before, after = topic(old, words), topic(new, words)
        text = retitle(text, before[:1].upper() + before[1:], after[:1].upper() + after[1:])
    return text


def _updated(
    draft: Draft, path: str, id: str, decision: Decision, past: tuple[Claim, ...]
) -> Updated:
    span, text = _placed(draft, path, id)
    related = _ids(decision.related)
    return Updated(id, text, span, decision.rule, related=related, superseded=past)


def _placed(draft: Draft, path: str, id: str) -> tuple[Span, str]:
    claim = claim_of(draft.text(path) or "", path, id)
    assert claim is not None
    return claim.span, claim.text


def _ids(claims: Sequence[Claim]) -> tuple[str, ...]:
    return tuple(claim.id for claim in claims if claim.id)
