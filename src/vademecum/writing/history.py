"""`history`: what was written, by whom and when."""

from __future__ import annotations

from collections import deque

from vademecum.core.changes import Change
from vademecum.workspace.workspace import Workspace


def changes(
    workspace: Workspace,
    path: str | None = None,
    *,
    verb: str | None = None,
    actor: str | None = None,
    session: str | None = None,
    limit: int = 20,
) -> tuple[Change, ...]:
    """Return the newest changes that fit all that is given, newest first, at most `limit`.

    Writes of a process that died are finished first, so that none is missing.
    """
    workspace.files.recover()
    found = workspace.ledger.changes(path=path, verb=verb, actor=actor, session=session)
    return tuple(reversed(deque(found, maxlen=max(limit, 0))))
