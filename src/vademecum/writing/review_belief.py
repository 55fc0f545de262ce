"""What a person vouches for goes into its note: a candidate, or text that was in quarantine."""

from __future__ import annotations

from vademecum.core.claims import Claim
from vademecum.core.errors import ClaimNotFound
from vademecum.core.provenance import Tag
from vademecum.markdown.kinds import Kind
from vademecum.writing.apply import Writing, apply, finish
from vademecum.writing.decide import New, decide, normalise
from vademecum.writing.draft import Draft
from vademecum.writing.gate import read_candidates, render_signal, without
from vademecum.writing.known import gather
from vademecum.writing.review_edits import struck_as
from vademecum.writing.review_targets import Call, edit, is_waiting
from vademecum.writing.route import kind_of, route
from vademecum.writing.supersede import claim_of
from vademecum.writing.tombstones import refuse_forgotten


def believed(draft: Draft, call: Call, claim: Claim, tag: Tag) -> Claim:
    """Put the claim where it belongs, under `tag`, as `remember` would; return it as it stands.

    A candidate moves with its id and signals; a line in quarantine is struck where it was. What
    memory holds about the same thing decides as it does for any claim. Raises Refused for what was
    forgotten.
    """
    refuse_forgotten(call.workspace, claim.text)
    waits = is_waiting(call.workspace, claim)
    kind, rule = kind_of(claim.text, Kind.LESSON if waits else None)
    new = New(claim.text, normalise(claim.text), tag, claim.since or call.today, claim.slot)
    where = route(call.workspace, new.normal, new.text, kind, rule, day=new.since)
    decision = decide(new, gather(draft, call.reader, new, where.path))
    writing = Writing(new, where, call.today, call.make_id, evidence=claim.evidence)
    if waits:
        writing = _with_signals(draft, writing, claim)
    outcome = apply(draft, writing, decision)
    if not waits or outcome.claim != claim.id:  # what says the same was known: its line stays
        why = "believed" if waits else "released"
        edit(
            draft,
            (claim,),
            lambda text, now: struck_as(text, now, call.today, outcome.claim, why, call.form),
        )
    apart = {path: draft.text(path) for path in draft.changed() if "/." in f"/{path}"}
    finish(draft, call.today)
    for path, text in apart.items():  # of the quarantine only the struck line changes
        draft.put(path, text or "")
    path = outcome.span.path
    held = claim_of(draft.text(path) or "", path, outcome.claim)
    if held is None:
        raise ClaimNotFound(f"{path} lost the claim while it was written.", hint="Try again.")
    return held


def _with_signals(draft: Draft, writing: Writing, claim: Claim) -> Writing:
    """Take the candidate out of its file; what is written is it, with its id and signals."""
    path = claim.span.path
    text = draft.text(path) or ""
    for candidate in read_candidates(path, text):
        if candidate.claim.id == claim.id and claim.id:
            links = [signal.link for signal in candidate.signals if signal.link]
            draft.put(path, without(text, candidate))
            return Writing(
                writing.new,
                writing.route,
                writing.today,
                writing.make_id,
                evidence=tuple(dict.fromkeys((*links, *claim.evidence))),
                below=tuple(render_signal(signal) for signal in candidate.signals),
                id=claim.id,
            )
    return writing
