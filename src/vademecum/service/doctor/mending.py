"""Mending what needs no judgement: a ledger group for each kind of finding in each file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from vademecum.core.errors import NoteNotFound, VademecumError
from vademecum.core.provenance import Actor
from vademecum.service.doctor.finding import Finding, Mended
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.signing import sign
from vademecum.writing.turns import maps_turn

_CONTEXT = 1


def mend(
    workspace: Workspace, findings: Iterable[Finding], actor: Actor, *, dry_run: bool
) -> tuple[Mended, ...]:
    """Mend what can be mended; return what was done, or with `dry_run` would be.

    Each write is signed, has its line in the ledger and can be taken back. A mend that another
    program gets in the way of, or that a budget forbids, is left.
    """
    batches: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.mend is not None:
            batches.setdefault((finding.code, _place(finding)), []).append(finding)
    done = []
    for batch in batches.values():
        try:
            mended = _carried_out(workspace, batch, actor, dry_run=dry_run)
        except VademecumError:
            continue  # the finding stays, and the next run tries again
        if mended is not None:
            done.append(mended)
    return tuple(done)


def _place(finding: Finding) -> str:
    """Return what is mended together: a file; notes to be listed go by their folder's map."""
    assert finding.mend is not None
    path = finding.mend.path
    return path.rpartition("/")[0] if finding.code == "unlisted-note" else path


def _carried_out(
    workspace: Workspace, batch: Sequence[Finding], actor: Actor, *, dry_run: bool
) -> Mended | None:
    with maps_turn(workspace):
        return _mended(workspace, batch, actor, dry_run=dry_run)


def _mended(
    workspace: Workspace, batch: Sequence[Finding], actor: Actor, *, dry_run: bool
) -> Mended | None:
    draft = Draft(workspace)
    mends = [finding.mend for finding in batch if finding.mend is not None]
    for each in mends:
        each.edit(draft)
    changed = draft.changed()
    if not changed:
        return None
    what = tuple(each.what for each in mends)
    diff = "".join(_diff(path, draft.before(path), draft.text(path) or "") for path in changed)
    change = ""
    if not dry_run:
        for path in changed:
            _stop_watching(workspace, path, draft.text(path) or "")
        said = f"{batch[0].code}: {'; '.join(what)}"
        change = draft.write(lambda group: sign(workspace, actor, "doctor", said, group=group))
    first = mends[0].path
    path = first if len({each.path for each in mends}) == 1 else _place(batch[0])
    return Mended(batch[0].code, path, what, change, diff)


def _stop_watching(workspace: Workspace, path: str, after: str) -> None:
    """Let no conflict record be made of a lost write that the mend itself brings back."""
    trail = workspace.files.records.trail
    try:
        content = workspace.files.read(path)
    except NoteNotFound:
        return
    lines = {line.rstrip() for line in after.encode().splitlines()}
    back = [
        lost.change.id
        for lost in trail.overwritten(path, content.data, content.digest)
        if {line.rstrip() for line in lost.added} <= lines
    ]
    if back:
        trail.forget(path, frozenset(back))


def _diff(path: str, before: str, after: str) -> str:
    rows = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        path if before else "(no file)",
        path,
        n=_CONTEXT,
    )
    return "".join(row if row.endswith("\n") else f"{row}\n" for row in rows)
