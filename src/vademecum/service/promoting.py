"""What is proposed for core memory, as a matter of review, and the rulings on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vademecum.core.errors import BadInput, ClaimNotFound, Refused
from vademecum.core.jobs import JobReport
from vademecum.core.notes import Span
from vademecum.core.review import Item, Matter, Ruled, Ruling
from vademecum.lifecycle.promote import still_waiting
from vademecum.lifecycle.proposed import PREFIX, Proposals
from vademecum.workspace.workspace import Workspace

Applying = Callable[[str], JobReport]
"""Carries out the proposal with that id."""


def is_proposal(target: str) -> bool:
    """Whether the target of a ruling is the id of a proposal for core memory."""
    return target.strip().startswith(PREFIX)


def promotions(workspace: Workspace) -> Iterator[Item]:
    """Yield the proposals that wait, as far as their lines still stand."""
    for waiting, claim in still_waiting(workspace):
        yield Item(
            waiting.id,
            Matter.PROMOTION,
            claim.span if claim else Span(waiting.path, waiting.line, waiting.line),
            waiting.text,
            f"proposed for core memory: {waiting.why}",
            (Ruling.KEEP, Ruling.DROP),
            (claim,) if claim else (),
        )


def ruled(
    workspace: Workspace, ruling: str, target: str, apply: Applying, *, by_person: bool
) -> Ruled:
    """Let a proposal into core memory, or dismiss it for good. Raises Refused, BadInput and what
    any write raises."""
    id = target.strip()
    if not by_person:
        raise Refused(
            "Only a person may rule on what goes to core memory; nothing was changed.",
            hint=f"Ask them to run: vade review {ruling} {id}",
        )
    if ruling == Ruling.DROP:
        new = Proposals(workspace.state).dismiss(id)
        told = "It is not proposed again." if new else "It was dismissed before."
        return Ruled(id, Ruling.DROP, told)
    if ruling != Ruling.KEEP:
        raise BadInput(f"A proposal cannot be ruled by {ruling!r}.", hint="Rulings: keep, drop.")
    report = apply(id)
    if report.declined:
        one = report.declined[0]
        raise Refused(f"{one.what} stays where it is: {one.why}.", hint="See: vade promote.")
    if not report.steps:
        if any(waiting.id == id for waiting, _ in still_waiting(workspace)):
            raise ClaimNotFound(f"What {id} proposed has changed.", hint="Run: vade promote.")
        return Ruled(id, Ruling.KEEP, "It is in core memory already, or nobody proposed it.")
    change = next((step.change for step in report.steps if step.change), "")
    return Ruled(id, Ruling.KEEP, "It is in core memory now.", change=change)
