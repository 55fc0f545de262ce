"""Candidates: an inferred lesson gets a signal, and passes the gate once it has enough of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.core.claims import Claim
from vademecum.core.outcomes import Conflicted, Waiting
from vademecum.core.provenance import Actor
from vademecum.markdown.claims import block_ids, render_claim
from vademecum.writing.apply import Writing
from vademecum.writing.decide import Decision, is_alike, normalise
from vademecum.writing.draft import Draft
from vademecum.writing.evidence import Proof
from vademecum.writing.gate import (
    HEADER,
    OPENING_SESSIONS,
    OPENING_WEIGHT,
    OWN_REFLECTION,
    REOPENING_WEIGHT,
    Candidate,
    Signal,
    is_open,
    read_candidates,
    render_signal,
    weigh,
    with_signal,
    without,
)
from vademecum.writing.supersede import add, claim_of, conflicting, found_again, identified


def at_the_gate(
    draft: Draft, writing: Writing, decision: Decision, actor: Actor, proofs: Sequence[Proof]
) -> Writing | Waiting | Conflicted:
    """Count a lesson's signal; return what is to be written once it has enough of them.

    A lesson that speaks against one that had passed puts it in question at two signals.
    """
    path = draft.workspace.profile.candidates_path
    signal = _signal(writing, actor, proofs)
    candidate = _candidate(draft, path, writing, signal)
    if is_open(candidate.signals, writing.today):
        draft.put(path, without(draft.text(path) or "", candidate))
        return _passed(writing, candidate)
    weight, sessions = weigh(candidate.signals, writing.today)
    opposed = (*decision.rivals, *decision.superseded)
    claim = candidate.claim
    if opposed and weight >= REOPENING_WEIGHT:
        return _reopened(draft, writing, claim, opposed)
    rule = (
        f"at the gate: {weight:g} of {OPENING_WEIGHT:g} signals, "
        f"{sessions} of {OPENING_SESSIONS} sessions"
    )
    related = tuple(near.id for near in decision.related if near.id)
    return Waiting(
        claim.id, claim.text, claim.span, rule, related=related, weight=weight, sessions=sessions
    )


def _signal(writing: Writing, actor: Actor, proofs: Sequence[Proof]) -> Signal:
    own = actor.is_job or actor.name == OWN_REFLECTION or any(p.reflection for p in proofs)
    link = proofs[0].link if proofs else ""
    return Signal(writing.new.since, actor.session, actor.name, link, own)


def _candidate(draft: Draft, path: str, writing: Writing, signal: Signal) -> Candidate:
    """Return the candidate with its new signal, made where nothing like it waits yet."""
    text = draft.text(path)
    if text is None:
        text = HEADER
    found = _alike(read_candidates(path, text), writing)
    if found is not None:
        if any(signal.same_as(known) for known in found.signals):
            return found
        text = with_signal(text, found, signal)
        id = found.claim.id
    else:
        id = writing.make_id(block_ids(text))
        new = writing.new
        line = render_claim(new.text, new.tag, since=new.since, slot=new.slot, id=id)
        text = add(text, path, (line, render_signal(signal)))
    draft.put(path, text)
    return next(each for each in read_candidates(path, text) if each.claim.id == id)


def _alike(candidates: Sequence[Candidate], writing: Writing) -> Candidate | None:
    normal = writing.new.normal
    for candidate in candidates:
        if candidate.claim.id and is_alike(normal, normalise(candidate.claim.text)):
            return candidate
    return None


def _passed(writing: Writing, candidate: Candidate) -> Writing:
    links = [signal.link for signal in candidate.signals if signal.link]
    return replace(
        writing,
        id=candidate.claim.id,
        evidence=tuple(dict.fromkeys((*links, *writing.evidence))),
        below=tuple(render_signal(signal) for signal in candidate.signals),
    )


def _reopened(
    draft: Draft, writing: Writing, candidate: Claim, opposed: Sequence[Claim]
) -> Conflicted:
    for claim in opposed:
        path = claim.span.path
        text = draft.text(path) or ""
        id = claim.id or writing.make_id(block_ids(text))
        for now in found_again(text, path, (claim,)):
            text = identified(text, now, id)
        why = "signals to the contrary wait at the gate:"
        draft.put(path, conflicting(text, path, writing.today, (id, candidate.id), why))
    here = (
        claim_of(draft.text(candidate.span.path) or "", candidate.span.path, candidate.id)
        or candidate
    )
    rule = "signals to the contrary put it in question"
    return Conflicted(here.id, here.text, here.span, rule, rivals=tuple(opposed))
