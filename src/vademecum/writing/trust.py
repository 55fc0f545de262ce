"""Trust: which tag a claim may carry, from what is said of it and what its evidence proves."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.errors import EvidenceMissing
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Tag, least_trusted
from vademecum.writing.evidence import Proof
from vademecum.writing.support import speak_of


@dataclass(frozen=True, slots=True)
class Settled:
    """The tag of a new claim, and why it is lower than what was asked for, if it is."""

    tag: Tag
    notes: tuple[str, ...] = ()


def settled_tag(
    given: Tag | None, proofs: Sequence[Proof], text: str, *, by_person: bool, by_agent: bool
) -> Settled:
    """Return the tag of the claim `text`: the one given, else `stated` for a person, else inferred.

    A claim that cites evidence carries at most the least trusted of what it cites; for what others
    are quoted with there a person may vouch, and nobody else. One that an
    agent calls `stated` without a quote of who said it is `inferred`, and so is one whose quote
    speaks of something else, unless a person wrote it. Raises EvidenceMissing when a higher tag
    was asked for than what is cited proves.
    """
    wanted = given if given not in (None, Tag.UNKNOWN) else None
    tag = wanted or (Tag.STATED if by_person else Tag.INFERRED)
    quoted = [proof for proof in proofs if proof.quote]
    notes: tuple[str, ...] = ()
    if quoted and not _supported(proofs, text):
        places = ", ".join(str(proof.span) for proof in quoted)
        notes = (f"What is quoted from {places} says nothing of the claim.",)
    if by_agent and tag is Tag.STATED and not quoted:
        notes = ("An agent's word alone is inferred, not stated: cite who said it, with a quote.",)
    if notes and not by_person and tag.rank > Tag.INFERRED.rank:
        tag, wanted = Tag.INFERRED, wanted and Tag.INFERRED
    if not proofs:
        return Settled(tag, notes)
    ceilings = {proof: proof.ceiling_for(person=not by_agent) for proof in proofs}
    ceiling = least_trusted(ceilings.values())
    if tag.rank <= ceiling.rank:
        return Settled(tag, notes)
    if wanted is None:
        return Settled(ceiling, notes)
    weakest = min(proofs, key=lambda proof: ceilings[proof].rank)
    raise EvidenceMissing(
        f"{weakest.span} proves at most [{ceiling.value}], not [{tag.value}].",
        hint=f"Remember it as {ceiling.value}, or cite where it was {tag.value}.",
    )


def _supported(proofs: Sequence[Proof], text: str) -> bool:
    """Whether something is quoted, and speaks of the claim."""
    quotes = [proof.quote for proof in proofs if proof.quote]
    return bool(quotes) and speak_of(quotes, text)


def raised_tag(
    old: Tag, new: Tag, proofs: Sequence[Proof], text: str, *, by_person: bool
) -> Tag | None:
    """Return the tag that a known claim gets, None when it keeps its own.

    A person at the terminal raises it, and so does a quote that was found and speaks of the claim.
    Raises EvidenceMissing when a higher tag was claimed without either.
    """
    if new.rank <= old.rank:
        return None
    if by_person or _supported(proofs, text):
        return new
    raise EvidenceMissing(
        f"Memory holds this as [{old.value}]; nothing was cited that makes it [{new.value}].",
        hint="Name where it was said: --from PATH:LINE --quote TEXT.",
    )
