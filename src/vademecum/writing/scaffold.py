"""`init`: create the files that a workspace lacks, and touch none that it has."""

from __future__ import annotations

from vademecum.core.errors import InvalidPath
from vademecum.core.frozen import dataclass
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.profiles import scaffold_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.signing import sign

INIT = "init"
"""The verb in the ledger."""


@dataclass(frozen=True, slots=True)
class Initialised:
    """Which of its first files a workspace got, and which it had."""

    created: tuple[str, ...]
    kept: tuple[str, ...]


def init(workspace: Workspace, *, actor: Actor) -> Initialised:
    """Create each first file of the workspace's profile that is missing.

    A file that exists, under whatever spelling, is not opened. Running it again changes nothing,
    so it may run at every start.
    """
    created: list[str] = []
    kept: list[str] = []
    group = new_entry_id(workspace.clock.now())
    now = workspace.clock.now().astimezone(workspace.zone)
    for first in scaffold_of(workspace.profile, workspace.id, workspace.zone.key, now):
        if workspace.files.exists(first.path):
            kept.append(first.path)
            continue
        signature = sign(workspace, actor, INIT, first.path, group=group)
        try:
            made = workspace.files.create(first.path, first.text.encode(), signature)
        except InvalidPath:
            made = None  # another spelling of the name is there
        (kept if made is None else created).append(first.path)
    return Initialised(tuple(created), tuple(kept))
