"""A coordinator and its workers: what it gathers, and where they contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from vademecum.agents import gather as engine
from vademecum.agents.gather import Gathered
from vademecum.agents.scope import Caller
from vademecum.agents.view import EVERYBODY, View, owners_for, view_of
from vademecum.core.claims import Claim
from vademecum.core.errors import BadInput, LockTimeout, Refused, VademecumError
from vademecum.core.ports import ClaimReader
from vademecum.core.review import Item, Matter
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.service.asking import day_asked
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace
from vademecum.writing.known import is_editable
from vademecum.writing.review import place_of, said_of
from vademecum.writing.review_pairs import keyed_groups, pair

_WHY = "two agents give one thing two values, and each rules over its own"


def gathered(
    workspace: Workspace,
    caller: Caller,
    named: Sequence[str],
    *,
    session: str,
    since: date | str | None,
    dry_run: bool,
) -> Gathered:
    """Log what is new in the memory of `named` agents, of all that grant anything without a name.

    Raises BadInput, AgentNotFound, Refused while another gathering runs, and what writes raise.
    """
    if caller.own() is None:
        raise BadInput(
            "Only a registered agent can be let read what others know.",
            hint="Register it with `vade agents add NAME PATH`, and ask with --agent NAME.",
        )
    first = day_asked(since)
    try:
        with locked(workspace.state / "locks" / "gather.lock", timeout=0.0):
            views = views_of(workspace, caller, named)
            return engine.gather(
                workspace, views, caller, session=session, since=first, dry_run=dry_run
            )
    except LockTimeout:
        raise Refused(
            "Another gathering into this memory is under way.", hint="Wait until it has ended."
        ) from None


def views_of(workspace: Workspace, caller: Caller, named: Sequence[str]) -> tuple[View, ...]:
    """Return what the caller may read of other agents at this moment. Raises AgentNotFound."""
    everybody = not named or EVERYBODY in named
    owners = owners_for(caller, workspace.clock) if everybody else tuple(dict.fromkeys(named))
    return tuple(view_of(caller, owner, workspace.clock) for owner in owners)


def contradictions(workspace: Workspace, reader: ClaimReader, caller: Caller) -> tuple[Item, ...]:
    """Return where live claims of two agents, of which the caller may be one, cannot both hold."""
    try:
        views = views_of(workspace, caller, ())
    except VademecumError:
        return ()
    if not views:
        return ()
    paths = [path for path in workspace.scan().files if is_editable(workspace, path)]
    claims = [*reader.claims_in(paths), *(claim for view in views for claim in _claims(view))]
    groups = [group for group in keyed_groups(claims) if len({owner_of(c) for c in group}) > 1]
    found = pair(groups, ()).rivals
    return tuple(_item(pair) for pair in found if owner_of(pair[0]) != owner_of(pair[1]))


def owner_of(claim: Claim) -> str:
    """Return the agent whose claim it is; empty for the caller's own."""
    return claim.span.path.partition(":")[0] if ":" in claim.span.path else ""


def _claims(view: View) -> Iterator[Claim]:
    for path in sorted(view.workspace.scan().files):
        if not is_editable(view.workspace, path):
            continue
        try:
            text = decode(view.workspace.files.read(path).data).text
        except VademecumError:
            continue
        for claim in read_claims(path, text):
            if claim.live:
                yield replace(claim, span=replace(claim.span, path=f"{view.owner}:{path}"))


def _item(pair: tuple[Claim, Claim]) -> Item:
    newer, _ = pair
    owner = owner_of(newer)
    place = place_of(newer)
    id = f"{owner}:{place}" if owner and place.startswith("^") else place
    text = "\n".join(f"{owner_of(one) or 'here'}: {said_of(one)}" for one in pair)
    return Item(id, Matter.RIVALS, newer.span, text, _WHY, (), pair)
