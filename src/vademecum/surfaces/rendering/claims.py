"""What became of a claim, as text and as JSON: the outcomes of `remember`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vademecum.core.claims import Claim
from vademecum.core.outcomes import (
    AlreadyKnown,
    Conflicted,
    LoggedOnly,
    Outcome,
    Quarantined,
    Updated,
    Waiting,
)
from vademecum.core.provenance import Tag
from vademecum.surfaces.rendering.lines import Line, Piece, line
from vademecum.surfaces.rendering.visible import one_line, visible

_OPENING_WEIGHT = 3
_OPENING_SESSIONS = 2
_HEADS = {
    "added": ("added", "good"),
    "updated": ("updated", "good"),
    "conflicted": ("conflict: both are kept and marked", "warning"),
    "already-known": ("already known", "good"),
    "waiting": ("waiting at the gate", "warning"),
    "quarantined": ("quarantined", "warning"),
    "logged-only": ("only logged: nothing in it lasts", "good"),
}


def outcome_name(outcome: Outcome) -> str:
    """Return the name of an outcome for programs: `added`, `already-known`, …"""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(outcome).__name__).lower()


def outcome_fields(outcome: Outcome) -> dict[str, object]:
    """Return what JSON tells of an outcome; all outcomes have the same fields but their own."""
    fields: dict[str, object] = {
        "outcome": outcome_name(outcome),
        "claim": outcome.claim,
        "text": outcome.text,
        "path": outcome.span.path,
        "start": outcome.span.first,
        "end": outcome.span.last,
        "rule": outcome.rule,
        "change": outcome.change,
        "superseded": outcome.superseded if isinstance(outcome, Updated) else (),
        "rivals": outcome.rivals if isinstance(outcome, Conflicted) else (),
        "related": outcome.related,
        "notes": outcome.notes,
    }
    if isinstance(outcome, Waiting):
        fields |= {"weight": outcome.weight, "sessions": outcome.sessions}
    if isinstance(outcome, Quarantined):
        fields |= {"reason": outcome.reason}
    return fields


def remembered(outcome: Outcome, *, dry_run: bool) -> Iterator[Line]:
    """Yield what happened, where the claim stands, what it struck, and the id that undoes it."""
    said, style = _HEADS[outcome_name(outcome)]
    said = f"would be: {said}" if dry_run else said
    facts: list[Piece] = [(f"{said} ", style), (_place(outcome), "place")]
    if outcome.claim:
        facts.append((f"  ^{visible(outcome.claim)}", ""))
    if outcome.change:
        facts.append((f"  undo: {outcome.change}", "faint"))
    yield line(*facts)
    if not isinstance(outcome, LoggedOnly):
        yield line(one_line(outcome.text), indent=3)
    yield from _particulars(outcome)
    if not isinstance(outcome, Waiting | LoggedOnly):
        yield line((f"rule: {one_line(outcome.rule)}", "faint"), indent=3)
    if outcome.related:
        ids = " ".join(f"^{visible(id)}" for id in outcome.related)
        yield line((f"related: {ids}", "faint"), indent=3)
    for note in outcome.notes:
        yield line((one_line(note), "warning"), indent=3)


def _place(outcome: Outcome) -> str:
    """Return where the claim stands; only the file, where it is not written yet."""
    span = outcome.span
    return visible(str(span) if span.first else span.path)


def _particulars(outcome: Outcome) -> Iterator[Line]:
    match outcome:
        case Updated():
            yield from _claims("struck", outcome.superseded)
        case Conflicted():
            yield from _claims("against", outcome.rivals)
            yield line("Decide with `vade review`.", indent=3)
        case Waiting():
            said = f"{outcome.weight:g} of {_OPENING_WEIGHT} signals, "
            said += f"{outcome.sessions} of {_OPENING_SESSIONS} sessions"
            yield line((said, "warning"), indent=3)
        case Quarantined():
            yield line((f"because {one_line(outcome.reason)}", "warning"), indent=3)
        case AlreadyKnown() if not outcome.change:
            yield line(("nothing was changed", "faint"), indent=3)
        case _:
            pass


def _claims(word: str, claims: Iterable[Claim]) -> Iterator[Line]:
    for claim in claims:
        pieces: list[Piece] = [(f"{word} ", "bad"), (visible(str(claim.span)), "place"), ("  ", "")]
        yield line(*pieces, claim_line(claim), indent=3)


def claim_line(claim: Claim) -> str:
    """Return a claim in one line as people read it: tag, text, days, id."""
    tag = f"[{claim.tag.value}] " if claim.tag is not Tag.UNKNOWN else ""
    days = [day.isoformat() for day in (claim.since, claim.until) if day]
    held = f" ({' to '.join(days)})" if days else ""
    id = f" ^{visible(claim.id)}" if claim.id else ""
    return f"{tag}{one_line(claim.text)}{held}{id}"
