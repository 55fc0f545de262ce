"""The claims of notes for the index: at once where few notes changed, else after all words."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from vademecum.core.claims import Claim
from vademecum.core.errors import InvalidPath, NoteNotFound, StorageFailed, Unreadable
from vademecum.core.notes import Role
from vademecum.core.ports import Index, KeyedClaim, PutClaims
from vademecum.workspace.workspace import Workspace

FEW_NOTES = 32
"""Changed notes whose claims are read on the way; finding the keys of a claim costs as much as
cutting a whole note into words."""
_BATCH = 50
_SILENT = (
    Role.LOG,
    Role.MAP,
    Role.REFLECTION,
    Role.WORKBENCH,
    Role.INSTRUCTIONS,
    Role.DOCTRINE,
    Role.ARCHIVE,
)
"""What holds no claims: it tells what happened, leads elsewhere, or says what to do."""


def holds_claims(workspace: Workspace, path: str) -> bool:
    """Whether list lines of the note at `path` are what memory holds true."""
    return path == workspace.profile.core_path or workspace.role_of(path) not in _SILENT


def keyed_claims(path: str, text: str) -> tuple[KeyedClaim, ...]:
    """Return the claims of a note; asking for the first key loads the rules of comparison."""
    from vademecum.markdown.claims import read_claims  # noqa: PLC0415  most sweeps read nothing

    return tuple(KeyedClaim(claim, partial(_keys, claim)) for claim in read_claims(path, text))


def _keys(claim: Claim) -> tuple[str, ...]:
    from vademecum.markdown.compare.keys import claim_keys  # noqa: PLC0415  a second's worth of rules

    return claim_keys(claim)


def read_ahead(
    workspace: Workspace,
    index: Index,
    *,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Read claims that are still to come, newest notes first; return of how many notes.

    After `seconds` it stops between two batches. The caller is the elected indexer. Raises
    IndexUnusable, StorageFailed.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    seen: set[str] = set()
    while True:
        # What cannot be read, or has changed since, stays behind until the next sweep looks at it.
        waiting = index.unread_claims(len(seen) + _BATCH)
        paths = [path for path in waiting if path not in seen]
        if not paths:
            return len(seen)
        index.apply([_claims_now(workspace, path) for path in paths])
        seen.update(paths)
        if progress is not None:
            progress(len(seen), 0)
        if deadline is not None and time.monotonic() >= deadline:
            return len(seen)


def _claims_now(workspace: Workspace, path: str) -> PutClaims:
    from vademecum.markdown.lines import decode  # noqa: PLC0415  as above

    try:
        content = workspace.files.read(path)
    except (NoteNotFound, Unreadable, InvalidPath, StorageFailed):
        return PutClaims(path, "", ())
    return PutClaims(path, content.digest, keyed_claims(path, decode(content.data).text))
