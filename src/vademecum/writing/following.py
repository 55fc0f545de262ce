"""Maps that follow a claim: written once the lock under which claims are decided is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.core.changes import Signature
from vademecum.core.errors import (
    ChangedMeanwhile,
    InvalidPath,
    OverBudget,
    ReadOnly,
    StorageFailed,
)
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.turns import maps_turn

_ATTEMPTS = 5
HINDRANCES = (ChangedMeanwhile, InvalidPath, ReadOnly, StorageFailed)
"""What may keep a map from being written once its note is; an index refuses no claim."""


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
    attempt = 1
    try:
        if not surely and not _stepped(workspace, notes).changed():
            return group, ""
        with maps_turn(workspace):
            while True:
                draft = _stepped(workspace, notes)
                try:
                    return draft.write(sign, group, aside=False), ""
                except ChangedMeanwhile:
                    if attempt == _ATTEMPTS:
                        raise
                    attempt += 1
                finally:
                    group = draft.group or group
    except (*HINDRANCES, OverBudget) as error:
        return group, f"The map does not lead there yet. {error}"


def _stepped(workspace: Workspace, notes: Sequence[str]) -> Draft:
    draft = Draft(workspace)
    keep_in_step(draft, notes)
    return draft
