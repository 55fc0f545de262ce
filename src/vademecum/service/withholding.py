"""Credentials in what a job plans: none is put on file, shown, or proposed for memory."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.jobs import Believed, Composed, Declined, Entered, Plan, Proposal
from vademecum.markdown.secrets import find_secrets, redact

_WHY = "it holds what looks like a credential"


def withheld(plan: Plan) -> Plan:
    """Return the plan as it may be kept and shown: without the claims that hold a credential, which
    are declined, and with `[redacted: RULE]` in the place of each in what is new.

    An edit stays as it is: its text is that of a file that is there.
    """
    kept = tuple(_redacted(one) for one in plan.proposals if not _is_secret(one))
    secret = (one for one in plan.proposals if _is_secret(one))
    declined = (
        *(Declined(redact(one.what), redact(one.why), one.where) for one in plan.declined),
        *(Declined(redact(one.text), _WHY) for one in secret if isinstance(one, Believed)),
    )
    degraded = tuple(replace(one, reason=redact(one.reason)) for one in plan.degraded)
    return Plan(kept, declined, degraded, tuple(map(redact, plan.notes)))


def _is_secret(proposal: Proposal) -> bool:
    return isinstance(proposal, Believed) and bool(find_secrets(proposal.text))


def _redacted(proposal: Proposal) -> Proposal:
    match proposal:
        case Believed(why=why):
            return replace(proposal, why=redact(why))
        case Composed(text=text):
            return replace(proposal, text=redact(text))
        case Entered(text=text, title=title):
            return replace(proposal, text=redact(text), title=redact(title))
        case _:
            return proposal
