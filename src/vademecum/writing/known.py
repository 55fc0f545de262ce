"""What memory holds that a new claim may concern: found by an index, read again in the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from vademecum.core.claims import Claim
from vademecum.core.errors import ClaimNotFound
from vademecum.core.notes import Role
from vademecum.core.ports import KeywordQuery
from vademecum.markdown.claims import read_claims
from vademecum.markdown.tokens import query_terms
from vademecum.workspace.workspace import Workspace
from vademecum.writing.decide import (
    LONGEST_POSTING,
    Concern,
    New,
    concerns,
    hangs_on_likeness,
    keys_of,
    tells_apart,
)
from vademecum.writing.draft import Draft
from vademecum.writing.judged import UNJUDGED, Judged
from vademecum.writing.supersede import found_again

_BY_SLOT = 32
_BY_WORDS = 10
_TERMS = 12
_RELATED = 5
_LIKELY = 16
"""Claims whose likeness is asked for; an embedder takes milliseconds for each."""


class NearClaims(Protocol):
    """What `remember` asks of an index of claims: a part of what a ClaimReader promises."""

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids."""

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key."""

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share terms with the query, best first."""


def gather(
    draft: Draft, reader: NearClaims, new: New, home: str, judged: Judged = UNJUDGED
) -> tuple[Claim, ...]:
    """Return the claims that `new` has to be compared with, as they stand in their files.

    Every claim of the note it would go to, those that `reader` finds by slot or words and that
    concern it, and those that a model would touch. Only notes and core memory are looked at: logs
    are never edited. Raises ClaimNotFound when a claim that the call names is nowhere.
    """
    by_path: dict[str, list[Claim]] = {}
    claims: list[Claim] = []
    near = found_near(reader, new)
    near += [claim for claim in judged.touched if claim not in near]
    for claim in near:
        if not is_editable(draft.workspace, claim.span.path) or claim.span.path == home:
            continue
        concern = concerns(new, claim, judged)
        if concern is Concern.EDIT:
            by_path.setdefault(claim.span.path, []).append(claim)
        elif concern is Concern.MENTION and len(claims) < _RELATED:
            claims.append(claim)  # only named in the outcome, so its file need not be read
    for path, found in by_path.items():
        text = draft.text(path)
        if text is not None:
            claims += found_again(text, path, found)
    text = draft.text(home)
    if text is not None:
        claims += read_claims(home, text)
    _check_named(new, claims)
    return tuple(claims)


def is_editable(workspace: Workspace, path: str) -> bool:
    """Whether claims in that file may be struck: a note, core memory, the file of directives."""
    role = workspace.role_of(path)
    core = path in (workspace.profile.core_path, workspace.profile.directives_path)
    return (role in (Role.CONCEPT, Role.CORE) or core) and "/." not in f"/{path}"


def likely(
    near: Sequence[Claim], new: New, likeness: Callable[[str, Sequence[str]], Sequence[float]]
) -> Mapping[str, float]:
    """Return the likeness of `new` and those claims `near` for which it decides, by their texts."""
    hanging = [claim.text for claim in near if claim.live and hangs_on_likeness(new, claim)]
    texts = list(dict.fromkeys(hanging))[:_LIKELY]
    return dict(zip(texts, likeness(new.text, texts), strict=True)) if texts else {}


def found_near(reader: NearClaims, new: New) -> list[Claim]:
    """Return the claims that `reader` finds by the slots and words of `new`, struck ones too."""
    found = list(reader.claims_by_id(new.supersedes)) if new.supersedes else []
    for key in keys_of(new):
        found += _sharing(reader, key)
    terms = tuple(term.text for term in query_terms(new.text).terms)[:_TERMS]
    if terms:
        found += reader.claims_like(KeywordQuery(terms), _BY_WORDS)
    return list(dict.fromkeys(found))


def _sharing(reader: NearClaims, key: str) -> Sequence[Claim]:
    """Return the newest claims under a key; none under one of wording that too many share."""
    if tells_apart(key):
        return reader.claims_by_slot((key,), _BY_SLOT)
    found = reader.claims_by_slot((key,), LONGEST_POSTING + 1)
    return found if len(found) <= LONGEST_POSTING else ()


def _check_named(new: New, claims: Sequence[Claim]) -> None:
    there = {claim.id for claim in claims}
    for id in new.supersedes:
        if id not in there:
            raise ClaimNotFound(
                f"No claim in a note has the id ^{id}.",
                hint="Look for it first: vade recall TEXT names ids and lines.",
            )
