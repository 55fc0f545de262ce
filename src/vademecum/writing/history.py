"""`history`: what was written, by whom and when, to a file or to one claim."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import date

from vademecum.core.changes import Change, Effect
from vademecum.core.clock import human_day
from vademecum.core.errors import Unreadable
from vademecum.workspace.blobs import Blobs
from vademecum.workspace.workspace import Workspace


def changes(
    workspace: Workspace,
    path: str | None = None,
    *,
    claim: str | None = None,
    verb: str | None = None,
    actor: str | None = None,
    session: str | None = None,
    group: str | None = None,
    since: date | None = None,
    limit: int = 20,
) -> tuple[Change, ...]:
    """Return the newest changes that fit all that is given, newest first, at most `limit`.

    `claim` is a block id: only changes of its line are returned, wherever it stood. `since` is the
    first day. Writes of a process that died are finished first, so that none is missing.
    """
    workspace.files.recover()
    found: Iterable[Change] = workspace.ledger.changes(
        path=path, verb=verb, actor=actor, session=session, group=group
    )
    if since is not None:
        found = (one for one in found if human_day(one.at, workspace.zone) >= since)
    if claim:
        found = _of_claim(found, claim.removeprefix("^"), workspace.files.records.blobs)
    return tuple(reversed(deque(found, maxlen=max(limit, 0))))


def _of_claim(found: Iterable[Change], id: str, blobs: Blobs) -> Iterator[Change]:
    """Yield the changes after which the lines of a claim are not what they were before."""
    own = re.compile(rb"^.*(?<![\w-])\^" + re.escape(id.encode()) + rb"(?![\w-]).*$", re.MULTILINE)
    known: dict[str, tuple[bytes, ...]] = {"": ()}

    def lines(digest: str) -> tuple[bytes, ...]:
        if digest not in known:
            try:
                known[digest] = tuple(line.strip() for line in own.findall(blobs.get(digest)))
            except Unreadable:  # purged, or of an append, which keeps what it added instead
                known[digest] = ()
        return known[digest]

    for change in found:
        if change.effect is Effect.APPEND:
            touched = bool(lines(change.added))
        else:
            touched = lines(change.before) != lines(change.after)
        if touched:
            yield change
