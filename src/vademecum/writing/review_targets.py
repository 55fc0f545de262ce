"""What a ruling is about: the claim or note that it names, read in the files as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.errors import AmbiguousTarget, AppendOnly, BadInput, ClaimNotFound
from vademecum.core.forms import PastForm
from vademecum.core.ids import new_block_id
from vademecum.core.notes import Role
from vademecum.core.ports import ClaimReader
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.claims import block_ids, read_claims
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.known import is_editable
from vademecum.writing.quarantine import is_quarantined
from vademecum.writing.review import quarantine_files
from vademecum.writing.supersede import claim_of, found_again, identified

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?:-\d+)?\Z")
_ID = re.compile(r"\^?([A-Za-z0-9-]{1,64})\Z")


@dataclass(frozen=True, slots=True)
class Call:
    """One ruling as it was asked for."""

    workspace: Workspace
    reader: ClaimReader
    actor: Actor
    today: date
    target: str
    choice: str = ""
    tag: Tag | None = None

    @property
    def form(self) -> PastForm:
        """How this workspace marks what is past."""
        return self.workspace.profile.past_form

    def make_id(self, taken: frozenset[str]) -> str:
        """Return a block id that no claim has."""
        while True:
            id = new_block_id(taken)
            if not self.reader.claims_by_id((id,)):
                return id


def claim_named(draft: Draft, call: Call, target: str) -> Claim:
    """Return the claim that `target` (`^id`, `id` or `PATH:LINE`) names, as its file has it.

    Raises ClaimNotFound, AmbiguousTarget, NoteNotFound.
    """
    if place := _PLACE.match(target):
        return _claim_at(draft, place["path"], int(place["line"]))
    found = _ID.match(target)
    claims = list(_with_id(draft, call, found[1])) if found else []
    if not claims:
        raise ClaimNotFound(
            f"No claim in notes, candidates or quarantine is named by {target!r}.",
            hint="`vade review` lists what waits, with the ids to use.",
        )
    if len(claims) > 1:
        places = ", ".join(f"{claim.span.path}:{claim.span.first}" for claim in claims)
        raise AmbiguousTarget(
            f"{len(claims)} claims have the id {target}.", hint=f"Name its place instead: {places}."
        )
    return claims[0]


def note_named(call: Call) -> str:
    """Return the path of the note that the target is; nothing where it names a claim."""
    target = call.target
    is_path = target.lower().endswith((".md", ".markdown"))
    return target if is_path and call.workspace.files.exists(target) else ""


def is_waiting(workspace: Workspace, claim: Claim) -> bool:
    """Whether a claim is a candidate at the gate."""
    return workspace.role_of(claim.span.path) is Role.CANDIDATES


def is_apart(workspace: Workspace, claim: Claim) -> bool:
    """Whether a claim is in quarantine."""
    return is_quarantined(workspace.profile, claim.span.path)


def check_editable(workspace: Workspace, claim: Claim) -> None:
    """Raise AppendOnly for a line of a log, BadInput for one in another file that is not edited."""
    path = claim.span.path
    if is_editable(workspace, path) or is_waiting(workspace, claim) or is_apart(workspace, claim):
        return
    if workspace.role_of(path) is Role.LOG:
        raise AppendOnly(
            f"{path} is a log, which may only grow.",
            hint="Remember what holds now; recall marks the entry as past.",
        )
    raise BadInput(f"{path} holds no claims that rulings are about.", hint="See: vade review.")


def edit(draft: Draft, claims: tuple[Claim, ...], change: Callable[[str, Claim], str]) -> None:
    """Apply `change` to each of the claims as it stands in the draft by then."""
    for claim in claims:
        path = claim.span.path
        text = draft.text(path) or ""
        for now in found_again(text, path, (claim,)):
            draft.put(path, change(text, now))


def with_ids(draft: Draft, call: Call, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims, each with a block id; those that had none got one in the draft."""
    named = []
    for claim in claims:
        path = claim.span.path
        text = draft.text(path) or ""
        if not claim.id:
            now = next(iter(found_again(text, path, (claim,))), None)
            if now is not None and not now.id:
                id = call.make_id(block_ids(text))
                text = identified(text, now, id)
                draft.put(path, text)
                claim = claim_of(text, path, id) or claim
        named.append(claim)
    return tuple(named)


def _claim_at(draft: Draft, path: str, line: int) -> Claim:
    text = draft.text(path)
    for claim in read_claims(path, text or ""):
        if claim.span.first <= line <= claim.span.last:
            return claim
    raise ClaimNotFound(
        f"There is no claim at {path}:{line}.", hint=f"Look at the lines: vade get {path}."
    )


def _with_id(draft: Draft, call: Call, id: str) -> Iterator[Claim]:
    workspace = call.workspace
    known = [claim.span.path for claim in call.reader.claims_by_id((id,))]
    apart = (workspace.profile.candidates_path, *quarantine_files(workspace))
    for path in dict.fromkeys((*apart, *known)):
        text = draft.text(path) if path else None
        claim = claim_of(text, path, id) if text is not None else None
        if claim is not None:
            yield claim
