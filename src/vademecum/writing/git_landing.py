"""Letting the branch name another commit: files first, and gone on with by whoever comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vademecum.core.changes import Change
from vademecum.core.errors import Refused
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.workspace.git import Repository
from vademecum.workspace.git.progress import backlog_of, read, write
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import Step, must, steps
from vademecum.workspace.workspace import Workspace
from vademecum.writing.branch import entry_text, is_unfinished, move
from vademecum.writing.git_begun import Begun
from vademecum.writing.git_bring import VERB, Bringing

_LOOKED_BACK = 50
"""Commits that changed a path in which an entry of the index is looked for."""


@dataclass(frozen=True, slots=True)
class Landed:
    """What came of bringing the files of a commit in."""

    head: str
    commit: str
    moved: bool
    """Whether the branch went from `head` to `commit`; else somebody moved it meanwhile."""
    files: tuple[str, ...]
    """Files that changed, those beside memory too."""
    conflicts: tuple[tuple[str, str], ...] = ()
    """Of what was gone on with: path in the repository, and what a person has to rule there."""
    kept: tuple[str, ...] = ()
    """Conflict records of that."""


class Landing:
    """The files, the branch and the user's index of one clone, brought to a commit."""

    def __init__(
        self, workspace: Workspace, repository: Repository, actor: Actor, remote: str
    ) -> None:
        self.workspace = workspace
        self.repository = repository
        self._actor = actor
        self._remote = remote

    def bringing(self, found: Sequence[Step]) -> Bringing:
        """Return the steps ready to be taken in the working tree."""
        return Bringing(self.workspace, self.repository, self._actor, found)

    def land(
        self,
        bringing: Bringing,
        head: str,
        commit: str,
        lagging: Mapping[str, str],
        more: Sequence[Step] = (),
    ) -> Landed:
        """Bring the notes of `commit` in, then let the branch name it if it still names `head`.

        The files come before the branch: whoever dies in between never leaves a branch that has
        what the files lack, which would look as if somebody had taken it back. What is to be done
        is noted before the first of them: with some of the files brought in, the rest is nothing
        that a merge could tell from edits. `more` are notes of the commit that are there already.
        """
        state, ledger = self.workspace.state, self.workspace.ledger.path
        progress = read(state, ledger)
        progress.bringing_from, progress.bringing_to = head, commit
        write(state, progress)
        changed = bringing.take()
        paths = list(dict.fromkeys(step.path for step in (*bringing.memory, *more)))
        before = self.repository.in_tree(head, paths)
        told = {path: entry_text(before.get(path)) for path in paths}
        told |= {path: entry for path, entry in lagging.items() if path in told}
        moved = self.move(head, commit, told, bringing.taken, f"vade: sync {self._remote}")
        changed += [self._within(step.path) for step in bringing.others]
        return Landed(head, commit, moved, tuple(changed))

    def move(
        self, head: str, commit: str, told: dict[str, str], taken: dict[str, str], why: str
    ) -> bool:
        """Let branch and index know of `commit` as `branch.move` does; return whether they do.

        They do not where somebody moved the branch. Raises StorageFailed.
        """
        state = self.workspace.state
        progress = read(state, self.workspace.ledger.path)
        ran = move(
            state,
            self.repository,
            progress,
            head=head,
            commit=commit,
            offset=progress.offset,
            told=told,
            taken=taken,
            why=why,
        )
        if not ran.ok and self.repository.head() == head:
            must(ran)
        return ran.ok

    def lagging(self, head: str, found: Sequence[Step]) -> dict[str, str]:
        """Return what the user's index still has from an earlier commit, as `entry_text`.

        A sync that was killed can leave that. Raises Refused where the user staged a version of
        their own of what the others changed.
        """
        paths = [step.path for step in found]
        staged = self.repository.in_index(paths) or {}
        there = self.repository.in_tree(head, paths)
        behind = read(self.workspace.state, self.workspace.ledger.path).behind
        lagging: dict[str, str] = {}
        for step in found:
            path, entry = step.path, staged.get(step.path)
            if entry is None or entry in (there.get(path), step.after) or path in behind:
                continue
            if not self._was_committed(head, path, entry):
                raise Refused(
                    f"{self._within(path)} is staged in a version that the others changed too.",
                    hint=f"Commit it or take it back (git restore --staged {path}).",
                )
            lagging[path] = entry_text(entry)
        return lagging

    def _was_committed(self, head: str, path: str, entry: Entry) -> bool:
        """Whether one of the last commits that changed a path left it as `entry`."""
        most = f"--max-count={_LOOKED_BACK}"
        literal = f":(top,literal){path}"
        ran = self.repository.git.run("rev-list", "--full-history", most, head, "--", literal)
        commits = ran.text.split() if ran.ok else []
        return any(self.repository.in_tree(one, [path]).get(path) == entry for one in commits)

    def _within(self, path: str) -> str:
        return path.removeprefix(self.repository.prefix)


def go_on(landing: Landing) -> Landed | None:
    """Bring in the rest of what a sync that died had begun; None where none did.

    The files it had brought in are as they were left, whatever was done to them since, and edits of
    the others are merged as ever. Where somebody committed meanwhile, the branch is not moved: all
    files are there then, and the commit is one to be merged.
    """
    workspace, repository = landing.workspace, landing.repository
    workspace.files.recover()
    state, ledger = workspace.state, workspace.ledger.path
    progress = read(state, ledger)
    head = repository.head()
    if not is_unfinished(repository, progress, head):
        return None
    start, commit = progress.bringing_from, progress.bringing_to
    brought: dict[str, list[Change]] = {}
    for change, _ in backlog_of(ledger, progress.offset):
        if change.verb == VERB or change.path in brought:
            brought.setdefault(change.path, []).append(change)
    found = steps(repository, start, commit)
    whole = landing.bringing(found)
    here, union = Begun(workspace, repository, start, commit, brought, whole).union(head)
    rest = landing.bringing(steps(repository, here, union.tree))
    rest.taken |= {path: changes[0].id for path, changes in brought.items()}
    conflicts, kept = tuple(union.conflicts), tuple(rest.keep(union.asides))
    if start == head:
        lagging = landing.lagging(head, found)
        rest.take_others(head)
        done = landing.land(rest, head, commit, lagging, whole.memory)
        return replace(done, conflicts=conflicts, kept=kept)
    changed = rest.take()
    progress.bringing_from = progress.bringing_to = ""
    write(state, progress)
    return Landed(head, commit, False, tuple(changed), conflicts, kept)
