"""Trust: which tag a claim may carry, from what is said of it and what its evidence proves."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.errors import EvidenceMissing
from vademecum.core.provenance import Tag, least_trusted
from vademecum.writing.evidence import Proof


def settled_tag(given: Tag | None, proofs: Sequence[Proof], *, by_person: bool) -> Tag:
    """Return the tag of a new claim: the one given, else `stated` for a person, else `inferred`.

    A claim that cites evidence carries at most the least trusted of what it cites. Raises
    EvidenceMissing when a higher tag was asked for.
    """
    wanted = given if given not in (None, Tag.UNKNOWN) else None
    tag = wanted or (Tag.STATED if by_person else Tag.INFERRED)
    if not proofs:
        return tag
    ceiling = least_trusted(proof.ceiling for proof in proofs)
    if tag.rank <= ceiling.rank:
        return tag
    if wanted is None:
        return ceiling
    weakest = min(proofs, key=lambda proof: proof.ceiling.rank)
    raise EvidenceMissing(
        f"{weakest.span} proves at most [{ceiling.value}], not [{tag.value}].",
        hint=f"Remember it as {ceiling.value}, or cite where it was {tag.value}.",
    )


def raised_tag(old: Tag, new: Tag, proofs: Sequence[Proof], *, by_person: bool) -> Tag | None:
    """Return the tag that a known claim gets, None when it keeps its own.

    A person at the terminal raises it, and so does a quote that was found. Raises EvidenceMissing
    when a higher tag was claimed without either.
    """
    if new.rank <= old.rank:
        return None
    if by_person or any(proof.quote for proof in proofs):
        return new
    raise EvidenceMissing(
        f"Memory holds this as [{old.value}]; nothing was cited that makes it [{new.value}].",
        hint="Name where it was said: --from PATH:LINE --quote TEXT.",
    )
