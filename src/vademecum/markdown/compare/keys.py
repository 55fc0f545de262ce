"""The keys under which an index keeps a claim, so that its rivals can be found."""

from __future__ import annotations

from vademecum.core.claims import Claim
from vademecum.markdown.compare.candidates import slot_keys
from vademecum.markdown.compare.normalise import normalise


def claim_keys(claim: Claim) -> tuple[str, ...]:
    """Return the keys of a claim, that of the slot it declares first."""
    declared = (declared_key(claim.slot),) if claim.slot else ()
    return (*declared, *slot_keys(normalise(claim.text)))


def declared_key(slot: str) -> str:
    """Return the key of a slot that was declared; case and blanks do not matter."""
    return "declared\x1f" + " ".join(slot.casefold().split())
