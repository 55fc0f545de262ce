"""Maps that follow a claim: written once the lock under which claims are decided is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.core.changes import Signature
from vademecum.core.errors import ChangedMeanwhile, OverBudget, ReadOnly, StorageFailed
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step, maps_turn

_ATTEMPTS = 5
HINDRANCES = (ChangedMeanwhile, ReadOnly, StorageFailed)
"""What may keep a map from being written; an index refuses no claim."""


def maps_follow(
    workspace: Workspace,
    notes: Sequence[str],
    sign: Callable[[str], Signature],
    group: str,
    *,
    surely: bool,
) -> tuple[str, str]:
    """Let the maps lead to `notes`, as changes of `group`; return the group, and what is amiss.

    The group is a new one where it was empty and a map changed. Writers take turns; `surely` says
    that there is something to write, without it that is looked up first. What is amiss is a
    sentence, empty if nothing is: the notes stand, and whoever calls `remember` with the same
    claim again brings the maps in step.
    """
    try:
        if not surely and not _stepped(workspace, notes).changed():
            return group, ""
        with maps_turn(workspace):
            return _written(workspace, notes, sign, group), ""
    except (*HINDRANCES, OverBudget) as error:
        return group, f"The map does not lead there yet. {error}"


def _written(
    workspace: Workspace, notes: Sequence[str], sign: Callable[[str], Signature], group: str
) -> str:
    attempt = 1
    while True:
        draft = _stepped(workspace, notes)
        try:
            return draft.write(sign, group, aside=False)
        except ChangedMeanwhile:
            attempt += 1
            if attempt > _ATTEMPTS:
                raise
            group = draft.group or group


def _stepped(workspace: Workspace, notes: Sequence[str]) -> Draft:
    draft = Draft(workspace)
    keep_in_step(draft, notes)
    return draft
