"""What `review` stands on: an index that has every claim, and rulings spelled as surfaces do."""

from __future__ import annotations

from dataclasses import replace

from vademecum.agents.scope import Caller
from vademecum.core.errors import BadInput
from vademecum.core.provenance import Actor
from vademecum.core.review import Item, Matter, Ruled, Ruling
from vademecum.markdown.secrets import redact
from vademecum.service.gathering import contradictions
from vademecum.service.promoting import promotions
from vademecum.service.remembering import read_all_claims, tag_named
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace
from vademecum.writing.review import items
from vademecum.writing.review_rulings import rule


def listed(workspace: Workspace, parts: Parts, caller: Caller) -> tuple[Item, ...]:
    """Return what waits; what changed on disk is read first.

    Where other agents that let the caller read contradict it or each other is part of it.
    """
    read_all_claims(workspace, parts)
    found = items(workspace, parts.index)
    stale = [item for item in found if item.matter is Matter.STALE]
    between = contradictions(workspace, parts.index, caller)
    urgent = (item for item in found if item.matter is not Matter.STALE)
    return tuple(map(_shown, (*urgent, *between, *promotions(workspace), *stale)))


def _shown(item: Item) -> Item:
    """Return the item without the credentials that a file may hold which was edited by hand."""
    claims = tuple(replace(claim, text=redact(claim.text)) for claim in item.claims)
    return replace(item, text=redact(item.text), why=redact(item.why), claims=claims)


def ruled(
    workspace: Workspace,
    parts: Parts,
    actor: Actor,
    ruling: str,
    target: str,
    *,
    choice: str,
    tag: str | None,
    by_person: bool,
) -> Ruled:
    """Carry out a ruling. Raises what `writing.review_rulings.rule` raises."""
    try:
        chosen = Ruling(ruling)
    except ValueError:
        named = ", ".join(Ruling)
        raise BadInput(f"There is no ruling {ruling!r}.", hint=f"Rulings: {named}.") from None
    if not target.strip():
        raise BadInput(f"`{ruling}` needs the id of what it is about.", hint="See: vade review.")
    read_all_claims(workspace, parts)
    return rule(
        workspace,
        parts.index,
        chosen,
        target,
        actor=actor,
        choice=choice,
        tag=tag_named(tag),
        by_person=by_person,
    )
