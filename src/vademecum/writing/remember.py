"""`remember`: write a claim where it belongs, after reading what memory holds about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date

from vademecum.core.changes import Signature
from vademecum.core.claims import Claim
from vademecum.core.clock import clock_time, human_day
from vademecum.core.errors import ChangedMeanwhile
from vademecum.core.frozen import dataclass
from vademecum.core.ids import block_ids_of
from vademecum.core.notes import Role, Span
from vademecum.core.outcomes import (
    AlreadyKnown,
    Conflicted,
    LoggedOnly,
    Outcome,
    Quarantined,
    Updated,
)
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.entries import read_entries
from vademecum.markdown.kinds import Kind, is_durable
from vademecum.workspace.workspace import Workspace
from vademecum.writing.apply import Writing, apply, settle
from vademecum.writing.candidates import at_the_gate
from vademecum.writing.decide import Decision, New, decide, normalise
from vademecum.writing.draft import Draft
from vademecum.writing.evidence import Proof, proofs_of
from vademecum.writing.following import HINDRANCES, maps_follow
from vademecum.writing.guard import guarded, guarded_claim
from vademecum.writing.judged import UNJUDGED, Judged
from vademecum.writing.known import NearClaims, found_near, gather, likely
from vademecum.writing.log import append_entry
from vademecum.writing.maps import have_room, keep_in_step, map_path_of
from vademecum.writing.quarantine import (
    quarantine_entry,
    quarantine_header,
    quarantine_id,
    quarantine_path,
)
from vademecum.writing.route import Route, kind_of, route
from vademecum.writing.signing import sign
from vademecum.writing.supersede import claim_of, found_again
from vademecum.writing.tombstones import refuse_forgotten
from vademecum.writing.trust import raised_tag, settled_tag
from vademecum.writing.turns import claims_turn, maps_turn

_ATTEMPTS = 5

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a text with others, as an embedder gives them for Purpose.LIKENESS."""
Show = Callable[[str, str, str], None]


def unseen(path: str, before: str, after: str) -> None:
    """Show nobody what a dry run would write."""
    del path, before, after


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of `remember` once its input was checked; nothing in it depends on other claims."""

    workspace: Workspace
    reader: NearClaims
    actor: Actor
    new: New
    kind: Kind
    rule: str
    about: str
    proofs: tuple[Proof, ...]
    today: date
    by_person: bool
    given: Tag | None
    dry_run: bool
    judged: Judged = UNJUDGED
    notes: tuple[str, ...] = ()
    show: Show = unseen
    likeness: Mapping[str, float] = field(default_factory=dict)

    def sign(self, group: str) -> Signature:
        return sign(self.workspace, self.actor, "remember", self.new.text, group=group)

    def make_id(self, taken: frozenset[str]) -> str:
        ids = block_ids_of(f"{self.new.since} {self.new.text}")
        return next(id for id in ids if id not in taken and not self.reader.claims_by_id((id,)))


def remember(
    workspace: Workspace,
    reader: NearClaims,
    text: str,
    *,
    actor: Actor,
    kind: Kind | None = None,
    tag: Tag | None = None,
    about: str = "",
    source: str | Span | Sequence[str | Span] = (),
    quote: str | Sequence[str] = (),
    supersedes: Sequence[str] = (),
    slot: str = "",
    since: date | None = None,
    dry_run: bool = False,
    untrusted: bool = False,
    redact: bool = False,
    by_person: bool = False,
    person: str = "",
    vouched: bool = False,
    likeness: Likeness | None = None,
    judged: Judged = UNJUDGED,
    refresh: Callable[[], None] = lambda: None,
    show: Show = unseen,
) -> Outcome:
    """Remember that `text` holds, one claim; return what that did and where it stands.

    The claims it may concern come from `reader` and are read again in their files, which win.
    `source` (spans or `PATH:LINE`s) and `quote` are its evidence, one quote a source; `supersedes`
    are block ids; `slot` names what the claim gives a value to; `since` is the first day on which
    it holds, today without one. `by_person` says that a person typed it, `person` under which name
    the person at this machine writes, `vouched` that it was looked up who said it. `likeness` is
    asked before anything is locked; `judged` is what a model said before, which counts where a
    claim still stands as it was shown. `refresh` is called before and under the lock, to bring
    `reader` up to date with what other processes wrote. Everything written is one group of the
    ledger; with `dry_run` the outcome is the same and nothing is written, but `show` is called with
    path, text before and text after of each note. The same call again changes nothing.

    Raises InvalidText, SecretFound, EvidenceMissing, Refused, OverBudget, AppendOnly, NoteNotFound,
    AmbiguousTarget, ClaimNotFound, BadInput and what any write raises.
    """
    text = guarded_claim(text, redact=redact)
    slot = guarded(slot, "The slot", redact=None) if slot else ""
    refuse_forgotten(workspace, text)
    today = human_day(workspace.clock.now(), workspace.zone)
    proofs = proofs_of(workspace, source, quote, person)
    untrusted_why = next((proof.untrusted for proof in proofs if proof.untrusted), "")
    if untrusted or untrusted_why:
        reason = untrusted_why or "the caller says that its source is not trusted"
        return _quarantined(workspace, actor, text, proofs, reason, today, dry_run=dry_run)
    by_agent = bool(person) and actor.name != person and not (by_person or vouched)
    settled = settled_tag(tag, proofs, text, by_person=by_person, by_agent=by_agent)
    chosen, rule = kind_of(text, kind)
    ids = tuple(id.strip().removeprefix("^") for id in supersedes)
    new = New(text, normalise(text), settled.tag, since or today, " ".join(slot.split()), ids)
    if not (kind or ids or slot or about or is_durable(text)):
        return _logged(workspace, actor, text, today, dry_run=dry_run)
    given = tag if tag is settled.tag else None  # what was lowered raises nothing
    call = _Call(
        workspace, reader, actor, new, chosen, rule, about, proofs, today, by_person, given,
        dry_run, judged, settled.notes, show,
    )  # fmt: skip
    refresh()  # under the lock, where others wait, little is left to be read and to be asked
    near = found_near(reader, new)
    if likeness is not None:
        call = replace(call, likeness=likely(near, new, likeness))
    return _carried_out(call, refresh)


def _carried_out(call: _Call, refresh: Callable[[], None]) -> Outcome:
    group = ""
    first: Outcome | None = None
    attempt = 1
    with claims_turn(call.workspace):
        while True:
            refresh()
            refuse_forgotten(call.workspace, call.new.text)  # it may have been a moment ago
            draft = Draft(call.workspace)
            outcome, notes = _planned(call, draft)
            # Others wait here: what decides nothing about a claim is written when it is their turn.
            follow = not call.dry_run and have_room(draft, notes)
            try:
                if follow:
                    outcome = _written(call, draft, outcome, group, attempt)
                else:
                    with maps_turn(call.workspace):
                        draft.reread()  # maps, which others wrote to until now
                        keep_in_step(draft, notes)
                        outcome = _written(call, draft, outcome, group, attempt)
                break
            except HINDRANCES as error:
                group = draft.group or group
                outcome = _located(draft, replace(outcome, change=group))
                if _stands(draft, outcome):  # and only its way there is not told
                    follow = True
                    break
                # Another program wrote between our reading and writing: read and decide anew.
                if not isinstance(error, ChangedMeanwhile) or attempt == _ATTEMPTS:
                    raise
                if outcome.span.path in draft.written:
                    first = outcome
                attempt += 1
    if first is not None and isinstance(outcome, AlreadyKnown) and outcome.claim == first.claim:
        outcome = replace(first, span=outcome.span)  # it was this call that made it known
    return _with_maps(call, draft, outcome, notes) if follow else outcome


def _written(call: _Call, draft: Draft, outcome: Outcome, group: str, attempt: int) -> Outcome:
    """Write the draft, or show it; return the outcome with lines and the group of the changes."""
    outcome = _located(draft, outcome)
    if call.dry_run:
        for path in draft.changed():
            call.show(path, draft.before(path), draft.text(path) or "")
        return outcome
    # What is made anew needs no record of what was not written.
    return replace(outcome, change=draft.write(call.sign, group, aside=attempt == _ATTEMPTS))


def _stands(draft: Draft, outcome: Outcome) -> bool:
    """Whether a call whose writing was broken off wrote all but lines of maps."""
    top = map_path_of(draft.workspace, "")  # core memory, in some profiles
    return bool(draft.written) and all(
        draft.workspace.role_of(path) is Role.MAP or (path == top != outcome.span.path)
        for path in set(draft.changed()) - draft.written
    )


def _with_maps(call: _Call, draft: Draft, outcome: Outcome, notes: Sequence[str]) -> Outcome:
    made = any(not draft.before(path) for path in notes)
    group, amiss = maps_follow(call.workspace, notes, call.sign, outcome.change, surely=made)
    told = (*outcome.notes, amiss) if amiss else outcome.notes
    return replace(outcome, change=group, notes=told)


def _planned(call: _Call, draft: Draft) -> tuple[Outcome, tuple[str, ...]]:
    """Put everything that is to be written into `draft` but the lines of maps.

    Return the outcome it will have, and the notes to which maps are to lead.
    """
    where = _routed(call)
    old = gather(draft, call.reader, call.new, where.path, call.judged)
    outcome, reached = _decided(call, draft, where, old)
    notes = (*call.notes, *_named_past(call.new, old, outcome), *_why_by_rules(call.judged, old))
    mapped = settle(draft, call.today, *reached)
    return replace(outcome, notes=notes) if notes else outcome, mapped


def _named_past(new: New, old: Sequence[Claim], outcome: Outcome) -> Iterator[str]:
    """Yield which of the claims that the call supersedes were struck before, by another one."""
    for claim in old:
        named = bool(claim.id) and claim.id in new.supersedes
        if named and not claim.live and claim.superseded_by != outcome.claim:
            day = f" on {claim.until.isoformat()}" if claim.until else ""
            by = f" by ^{claim.superseded_by}" if claim.superseded_by else ""
            yield f"^{claim.id} was struck already{day}{by}; nothing more was done to it."


def _why_by_rules(judged: Judged, old: Sequence[Claim]) -> Iterator[str]:
    """Yield why rules decided what a model was asked for, where they did."""
    if judged.reason:
        yield judged.reason
    if gone := judged.gone(old):
        named = ", ".join(f"^{claim.id}" if claim.id else str(claim.span) for claim in gone)
        yield f"{named} changed while the model judged, so rules decided about it anew."


def _decided(
    call: _Call, draft: Draft, where: Route, old: Sequence[Claim]
) -> tuple[Outcome, tuple[str, ...]]:
    decision = decide(call.new, old, call.likeness.get, call.judged)
    evidence = tuple(dict.fromkeys(proof.link for proof in call.proofs))
    writing = Writing(
        call.new,
        where,
        call.today,
        call.make_id,
        evidence,
        raised=_raised(call, decision),
        pinned=bool(call.about),
    )
    waits = call.kind is Kind.LESSON and call.new.tag is Tag.INFERRED and not call.by_person
    if waits and not call.new.supersedes and decision.known is None:
        passed = at_the_gate(draft, writing, decision, call.actor, call.proofs)
        if not isinstance(passed, Writing):
            return passed, ()
        writing = passed
    outcome = apply(draft, writing, decision)
    return outcome, (outcome.span.path,)


def _routed(call: _Call) -> Route:
    new = call.new
    return route(
        call.workspace, new.normal, new.text, call.kind, call.rule, about=call.about, day=new.since
    )


def _raised(call: _Call, decision: Decision) -> Tag | None:
    known = decision.known
    if known is None or not known.live or (call.given is None and not call.by_person):
        return None
    return raised_tag(known.tag, call.new.tag, call.proofs, call.new.text, by_person=call.by_person)


def _located(draft: Draft, outcome: Outcome) -> Outcome:
    """Return the outcome with the lines its claims have once everything is in place."""
    path = outcome.span.path
    text = draft.text(path)
    if text is None or (isinstance(outcome, AlreadyKnown) and not outcome.claim):
        return outcome
    now = claim_of(text, path, outcome.claim)
    if now is not None:
        outcome = replace(outcome, span=now.span)
    if isinstance(outcome, Updated):
        return replace(outcome, superseded=_again(draft, outcome.superseded))
    if isinstance(outcome, Conflicted):
        return replace(outcome, rivals=_again(draft, outcome.rivals))
    return outcome


def _again(draft: Draft, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims as they stand in the draft, in their order."""
    return tuple(
        again
        for claim in claims
        for again in found_again(draft.text(claim.span.path) or "", claim.span.path, (claim,))
    )


# ------------------------------------------------------------ what never reaches a note


def _quarantined(
    workspace: Workspace,
    actor: Actor,
    text: str,
    proofs: Sequence[Proof],
    reason: str,
    today: date,
    *,
    dry_run: bool,
) -> Quarantined:
    path = quarantine_path(workspace.profile, today)
    id = quarantine_id(text, reason)
    known = Draft(workspace).text(path) or ""
    claim = claim_of(known, path, id)
    if claim is not None or dry_run:
        span = claim.span if claim else Span(path, 0, 0)
        return Quarantined(id, text, span, "untrusted", reason=reason)
    source = ", ".join(str(proof.span) for proof in proofs)
    signature = sign(workspace, actor, "remember", f"quarantine: {text}")
    signature = replace(signature, group=signature.id)
    entry = quarantine_entry(
        clock_time(signature.at, workspace.zone),
        text,
        Tag.SUGGESTED,
        today,
        reason=reason,
        source=source,
        actor=actor.name,
    )
    header = quarantine_header(today).encode()
    workspace.files.append(path, entry.encode(), signature, header=header)
    claim = claim_of(Draft(workspace).text(path) or "", path, id)
    span = claim.span if claim else Span(path, 0, 0)
    return Quarantined(id, text, span, "untrusted", change=signature.group, reason=reason)


def _logged(
    workspace: Workspace, actor: Actor, text: str, today: date, *, dry_run: bool
) -> LoggedOnly:
    path = workspace.profile.log_path(today)
    known = Draft(workspace).text(path) or ""
    for entry in read_entries(path, known, today):
        said = (" ".join(entry.body.split()), " ".join(f"{entry.title} {entry.body}".split()))
        if text in said:
            return LoggedOnly("", text, entry.span, "nothing in it lasts", entries=(entry.span,))
    if dry_run:
        return LoggedOnly("", text, Span(path, 0, 0), "nothing in it lasts")
    done = append_entry(workspace, text, actor=actor)
    span = Span(done.path, done.first, done.last)
    return LoggedOnly("", text, span, "nothing in it lasts", change=done.change, entries=(span,))
