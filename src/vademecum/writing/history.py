"""`history`: what was written, by whom and when, to a file or to one claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from heapq import nlargest

from vademecum.core.changes import Change, Effect
from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound, Unreadable
from vademecum.workspace.blobs import Blobs
from vademecum.workspace.paths import checked
from vademecum.workspace.workspace import Workspace


def changes(
    workspace: Workspace,
    path: str | None = None,
    *,
    claim: str | None = None,
    verb: str | None = None,
    actor: str | None = None,
    earlier: Mapping[str, datetime | None] | None = None,
    session: str | None = None,
    group: str | None = None,
    since: date | None = None,
    limit: int = 20,
) -> tuple[Change, ...]:
    """Return the newest changes that fit all that is given, newest first, at most `limit`.

    `path` is a file or a folder. `claim` is a block id: only changes of its line are returned,
    wherever it stood. `earlier` are names under which `actor` wrote until an instant, or at any
    time: those writes are among them. `since` is the first day. Writes of a process that died are
    finished first, so that none is missing. Raises InvalidPath, and NoteNotFound for a file that
    never was.
    """
    workspace.files.recover()
    file, folder = _place(workspace, path)
    found: Iterable[Change] = workspace.ledger.changes(
        path=file, verb=verb, actor=None if earlier else actor, session=session, group=group
    )
    if actor is not None and earlier:
        names = {**earlier, actor: None}
        found = (one for one in found if _is_of(one, names))
    if folder:
        found = (one for one in found if one.path.startswith(folder))
    if since is not None:
        found = (one for one in found if human_day(one.at, workspace.zone) >= since)
    if claim:
        found = of_claim(found, claim.removeprefix("^"), workspace.files.records.blobs)
    # A write that a dead process left behind enters the ledger when it is finished, out of turn.
    newest = nlargest(max(limit, 0), enumerate(found), key=lambda each: (each[1].at, each[0]))
    return tuple(change for _, change in newest)


def _is_of(change: Change, names: Mapping[str, datetime | None]) -> bool:
    if change.actor not in names:
        return False
    until = names[change.actor]
    return until is None or change.at <= until


def _place(workspace: Workspace, path: str | None) -> tuple[str | None, str]:
    """Return the file that `path` names, or None and the folder, with a slash at its end."""
    if path is None or path in (".", "./"):
        return None, ""
    place = checked(path.rstrip("/") or path)
    if (workspace.root / place).is_dir():
        return None, f"{place}/"
    if workspace.ledger.last(place) is None and not workspace.files.exists(place):
        raise NoteNotFound(
            f"There is no file {place}, and nothing was ever written to it.",
            hint="List all writes: vade history.",
        )
    return place, ""


def of_claim(found: Iterable[Change], id: str, blobs: Blobs) -> Iterator[Change]:
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
