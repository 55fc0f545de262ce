"""Moving the branch that is checked out, and the user's index after it; safe to die in between."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vademecum.workspace.git import Ran, Repository
from vademecum.workspace.git.progress import Progress, write
from vademecum.workspace.git.repository import Entry

_OR = "|"
"""Between the entries of a path that the user's index may have."""


def move(
    state: Path,
    repository: Repository,
    progress: Progress,
    *,
    head: str,
    commit: str,
    offset: int,
    told: Mapping[str, str],
    taken: Mapping[str, str] | None = None,
    why: str = "vade: carry the ledger",
) -> Ran:
    """Let the branch, if it still names `head`, name `commit`; then the index know of it.

    `offset` is how far of the ledger `commit` holds, `taken` is that of `Progress`. `told` are the
    paths that differ, each with the entry (see `entry_text`) that the user's index may lose: one
    that differs from it is what the user staged, and stays.
    """
    kept = dict(progress.behind)
    progress.next_offset, progress.next_head = offset, commit
    progress.next_taken = {**progress.taken, **(taken or {})}
    for path, entry in told.items():
        # Whoever died may have brought the index up and not noted it: it has one of these then.
        known = progress.behind.get(path, entry).split(_OR)
        progress.behind[path] = _OR.join(dict.fromkeys((*known, entry)))
    write(state, progress)
    zero = "0" * len(commit)
    ran = repository.git.run("update-ref", "-m", why, "HEAD", commit, head or zero)
    if not ran.ok:
        progress.behind = kept
        progress.next_offset, progress.next_head, progress.next_taken = 0, "", {}
        write(state, progress)
        return ran
    progress.taken = progress.next_taken
    if commit == progress.bringing_to:
        progress.bringing_from = progress.bringing_to = ""
    arrived(state, repository, progress, head=commit, offset=offset)
    return ran


def arrived(
    state: Path, repository: Repository, progress: Progress, *, head: str, offset: int
) -> None:
    """Note that the branch, which names `head`, has the ledger up to `offset`."""
    progress.offset = offset
    progress.next_offset, progress.next_head, progress.next_taken = 0, "", {}
    write(state, progress)
    if _caught_up(repository, progress, head):
        write(state, progress)


def is_unfinished(repository: Repository, progress: Progress, head: str) -> bool:
    """Whether a sync died while it brought in files, and the branch is where they belong."""
    if not progress.bringing_to or has_commit(repository, progress.bringing_to, head):
        return False
    if not repository.git.run("cat-file", "-e", f"{progress.bringing_to}^{{tree}}").ok:
        return False  # nothing named it for so long that it was cleared away
    return progress.bringing_from == head or has_commit(repository, progress.bringing_from, head)


def has_commit(repository: Repository, commit: str, head: str) -> bool:
    """Whether the branch at `head` has a commit, itself included; no branch has none."""
    if not commit or not head:
        return False
    return repository.git.run("merge-base", "--is-ancestor", commit, head).ok


def entry_text(entry: Entry | None) -> str:
    """Return an entry of an index or tree as `Progress` keeps it; empty for none."""
    return f"{entry.mode} {entry.object}" if entry else ""


def _caught_up(repository: Repository, progress: Progress, head: str) -> bool:
    """Give entries of the user's index that are as they were before our commits what HEAD has.

    Otherwise the next commit of the user would take ours back. What the user staged is left alone.
    Returns whether that could be done.
    """
    if not progress.behind:
        return False
    paths = sorted(progress.behind)
    staged = repository.in_index(paths)
    if staged is None:
        return False
    now = repository.in_tree(head, paths)
    wanted: dict[str, Entry | None] = {}
    for path in paths:
        entry = staged.get(path)
        if entry_text(entry) in progress.behind[path].split(_OR) and entry != now.get(path):
            wanted[path] = now.get(path)
    if wanted and not repository.write_index(wanted).ok:
        return False
    progress.behind.clear()
    return True
