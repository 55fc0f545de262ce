"""`git sync`: commit what is here, take in what the others sent, send what they lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from vademecum.core.errors import LockTimeout, NoteNotFound, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.workspace.git import Nowhere, Repository, repository_of
from vademecum.workspace.git.progress import read
from vademecum.workspace.git.remote import Remote, fetched, pushed, remote_of
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import must, steps
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace
from vademecum.writing.branch import entry_text, move
from vademecum.writing.commit import carry, is_set_up, lock_file, waiting
from vademecum.writing.commit_message import owned
from vademecum.writing.git_bring import Bringing, told_of, twins
from vademecum.writing.git_edits import Uncommitted, edited, edits
from vademecum.writing.git_union import Union, united

_ROUNDS = 20
"""How often the remote may move before a sync gives up."""
_CALM = 5
"""How often files may change while they are merged before that is merged file by file."""
_LOOKED_BACK = 50
"""Commits that changed a path in which an entry of the index is looked for."""
_AHEAD = "Bring it in order first; nothing was changed, and writing goes on meanwhile."

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class GitSynced:
    """What a sync did, or with `dry_run` would do with what is committed so far."""

    remote: str
    """Remote and branch, such as `origin/main`."""
    committed: int
    """Commits made of writes; with `dry_run`, writes that are not in Git yet."""
    edits: tuple[str, ...]
    """Notes that were edited by hand and are committed now."""
    received: int
    """Commits of the others."""
    sent: int
    """Commits that they had not."""
    files: tuple[str, ...]
    """Files that changed here, those beside memory too."""
    conflicts: tuple[tuple[str, str], ...] = ()
    """Files in which a person has something to rule, with what, each thing once; `vade review` has
    them."""
    kept: tuple[str, ...] = ()
    """Conflict records: versions that found no place in the merged file."""
    left_out: tuple[Uncommitted, ...] = ()
    """Notes that are not committed, each with the reason: they stay where they are."""
    dry_run: bool = False


def sync(
    workspace: Workspace,
    *,
    actor: Actor,
    remote: str = "",
    dry_run: bool = False,
    progress: Progress | None = None,
) -> GitSynced:
    """Bring this clone and the branch that a team shares to one state.

    Writes and edits by hand are committed, what the others sent is merged by claim into the files,
    whatever writes to them meanwhile, and the result is pushed; where the remote moves meanwhile,
    once more. What is killed is made up for by the next call. Raises Refused with one sentence
    where the repository is in no state for it, RemoteUnreachable, SecretFound, LockTimeout and what
    any write raises.
    """
    repository = _ready(workspace)
    chosen = remote_of(repository, remote)
    syncing = _Syncing(workspace, repository, actor, chosen, progress or (lambda *_: None))
    if dry_run:
        return syncing.told()
    with _alone(workspace):
        return syncing.run()


@contextmanager
def _alone(workspace: Workspace) -> Iterator[None]:
    with ExitStack() as held:
        try:
            held.enter_context(locked(workspace.state / "locks" / "sync.lock", timeout=0.0))
        except LockTimeout:
            raise Refused(
                "Another sync of this clone is under way.", hint="Wait until it has ended."
            ) from None
        yield


def _ready(workspace: Workspace) -> Repository:
    if not is_set_up(workspace):
        raise Refused(
            "What is written here is not committed, so there is nothing to sync.",
            hint="Set it up once: vade git setup.",
        )
    found = repository_of(workspace.root)
    if isinstance(found, Nowhere):
        raise Refused(f"There is nothing to sync with: {found.why}.", hint=_AHEAD)
    why = found.busy()
    if not why and found.git.run("ls-files", "--unmerged").text:
        why = "files are unmerged"
    if why:
        raise Refused(f"The repository cannot be synced now: {why}.", hint=_AHEAD)
    return found


class _Syncing:
    """One sync, which may take several rounds."""

    def __init__(
        self,
        workspace: Workspace,
        repository: Repository,
        actor: Actor,
        remote: Remote,
        progress: Progress,
    ) -> None:
        self._workspace = workspace
        self._repository = repository
        self._actor = actor
        self._remote = remote
        self._progress = progress
        self._committed = 0
        self._edits: list[str] = []
        self._files: list[str] = []
        self._conflicts: list[tuple[str, str]] = []
        self._kept: list[str] = []
        self._left_out: tuple[Uncommitted, ...] = ()
        self._received = 0

    def told(self) -> GitSynced:
        """Return what a sync would do; nothing but what Git knows of the remote changes."""
        theirs = fetched(self._repository, self._remote)
        head = self._repository.head()
        seen = edited(self._workspace, self._repository, head)
        by_hand = [one for one in map(self._within, seen.paths) if not self._is_written(one)]
        union = self._union(head, theirs) if theirs else Union(head)
        found = steps(self._repository, head, union.tree)
        beside = told_of(twins(self._workspace, self._repository, found), found, self._repository)
        return GitSynced(
            str(self._remote),
            waiting(self._workspace),
            tuple(by_hand),
            self._count(head, theirs),
            self._count(theirs, head),
            tuple(self._within(step.path) for step in found),
            tuple((self._within(path), told) for path, told in (*union.conflicts, *beside)),
            left_out=seen.left_out,
            dry_run=True,
        )

    def _is_written(self, path: str) -> bool:
        """Whether a file is as the ledger has it: then it is a write that waits for a commit."""
        last = self._workspace.ledger.last(path)
        try:
            digest = self._workspace.files.read(path).digest
        except NoteNotFound:
            digest = ""
        return last is not None and last.after == digest

    def run(self) -> GitSynced:
        why, before = "", ""
        for number in range(_ROUNDS):
            self._progress("asking the remote", number, 0)
            theirs = fetched(self._repository, self._remote)
            if number and theirs == before:
                break
            with locked(lock_file(self._workspace)):
                head = self._taken_in(theirs)
            sent = self._count(theirs, head)
            if head == theirs or not head:
                return self._report(0)
            self._progress("sending", number, 0)
            why = pushed(self._repository, self._remote, head)
            if not why:
                return self._report(sent)
            before = theirs
        else:
            why = "others keep sending to it"
        raise Refused(
            f"{self._remote} does not take what is here: {why}.",
            hint="What they sent is merged and all of yours is committed; sync again later.",
        )

    # ------------------------------------------------------------ under the lock of the branch

    def _taken_in(self, theirs: str) -> str:
        """Merge the commit `theirs` into branch and files; return where the branch is then."""
        for attempt in range(_ROUNDS):
            head = self._committed_all()
            if not theirs or self._has(theirs, head):
                return head
            if self._merged(head, theirs, calm=attempt < _CALM):
                self._committed_all()
                return self._repository.head()
        raise Refused(
            "Another program keeps moving the branch, so nothing could be merged.",
            hint="Sync again when it is done; all that was written is kept.",
        )

    def _committed_all(self) -> str:
        """Commit what the ledger has and what people edited; return where the branch is then."""
        done = carry(self._workspace)
        self._committed += done.commits
        if done.why:
            raise Refused(f"What was written cannot be committed now: {done.why}.", hint=_AHEAD)
        head = self._repository.head()
        made = edits(self._workspace, self._repository, head)
        self._left_out = made.left_out
        if not made.commit:
            return head
        staged = self._repository.in_index(made.paths) or {}
        told = {path: entry_text(staged.get(path)) for path in made.paths}
        if not self._moved(head, made.commit, told, {}, "vade: commit edits"):
            return self._committed_all()
        self._edits += [self._within(path) for path in made.paths]
        return made.commit

    def _merged(self, head: str, theirs: str, *, calm: bool) -> bool:
        """Merge `theirs`; return whether that is done, or has to be begun again.

        While it is `calm`, files that changed since `head` are committed first. The files come
        before the branch: whoever dies in between leaves what looks like writes of ours, and never
        a branch that has what the files lack, which would look as if somebody had taken it back.
        """
        union = self._union(head, theirs)
        ahead = not head or self._has(head, theirs)
        found = steps(self._repository, head, union.tree)
        bringing = Bringing(self._workspace, self._repository, self._actor, found)
        if calm and bringing.moved_on():
            return False
        lagging = self._lagging(head, [step.path for step in found])
        bringing.take_others(head)
        self._kept += bringing.keep(union.asides)
        changed = bringing.take()
        count = self._count(head, theirs)
        commit = theirs
        if not ahead:
            subject = f"sync: {count} commit{'s' if count != 1 else ''} of {self._remote}\n"
            commit = owned(self._workspace, self._repository, union.tree, [head, theirs], subject)
        before = self._repository.in_tree(head, [step.path for step in bringing.memory])
        told = {step.path: entry_text(before.get(step.path)) for step in bringing.memory}
        told |= {path: entry for path, entry in lagging.items() if path in told}
        if not self._moved(head, commit, told, bringing.taken, f"vade: sync {self._remote}"):
            return False
        changed += [self._within(step.path) for step in bringing.others]
        self._files += [path for path in changed if path not in self._files]
        told_twins = told_of(bringing.twins, found, self._repository)
        self._conflicts += [
            (self._within(path), why) for path, why in (*union.conflicts, *told_twins)
        ]
        self._received += count
        return True

    def _moved(
        self, head: str, commit: str, told: dict[str, str], taken: dict[str, str], why: str
    ) -> bool:
        state = self._workspace.state
        progress = read(state, self._workspace.ledger.path)
        ran = move(
            state,
            self._repository,
            progress,
            head=head,
            commit=commit,
            offset=progress.offset,
            told=told,
            taken=taken,
            why=why,
        )
        if not ran.ok and self._repository.head() == head:
            must(ran)
        return ran.ok

    def _lagging(self, head: str, paths: Sequence[str]) -> dict[str, str]:
        """Return what the user's index still has from an earlier commit, as `entry_text`.

        A sync that was killed can leave that. Raises Refused where the user staged a version of
        their own of what the others changed.
        """
        staged = self._repository.in_index(paths) or {}
        there = self._repository.in_tree(head, paths)
        behind = read(self._workspace.state, self._workspace.ledger.path).behind
        found: dict[str, str] = {}
        for path in paths:
            entry = staged.get(path)
            if entry is None or entry == there.get(path) or path in behind:
                continue
            if not self._was_committed(head, path, entry):
                raise Refused(
                    f"{self._within(path)} is staged in a version that the others changed too.",
                    hint=f"Commit it or take it back (git restore --staged {path}).",
                )
            found[path] = entry_text(entry)
        return found

    def _was_committed(self, head: str, path: str, entry: Entry) -> bool:
        """Whether one of the last commits that changed a path left it as `entry`."""
        most = f"--max-count={_LOOKED_BACK}"
        literal = f":(top,literal){path}"
        ran = self._repository.git.run("rev-list", "--full-history", most, head, "--", literal)
        commits = ran.text.split() if ran.ok else []
        return any(self._repository.in_tree(one, [path]).get(path) == entry for one in commits)

    # ------------------------------------------------------------ what Git says

    def _union(self, head: str, theirs: str) -> Union:
        if not head or self._has(head, theirs):
            return Union(must(self._repository.git.run("rev-parse", f"{theirs}^{{tree}}")).text)
        if self._has(theirs, head):
            return Union(must(self._repository.git.run("rev-parse", f"{head}^{{tree}}")).text)
        if not self._repository.git.run("merge-base", head, theirs).ok:
            raise Refused(
                f"The history of {self._remote} has nothing in common with the one here.",
                hint="If they belong together: git pull --allow-unrelated-histories, once.",
            )
        return united(self._workspace, self._repository, head, theirs)

    def _has(self, commit: str, head: str) -> bool:
        return self._repository.git.run("merge-base", "--is-ancestor", commit, head).ok

    def _count(self, since: str, until: str) -> int:
        """Return how many commits `until` has that `since` has not."""
        if not until:
            return 0
        without = [f"^{since}"] if since else []
        return int(must(self._repository.git.run("rev-list", "--count", until, *without)).text)

    def _within(self, path: str) -> str:
        return path.removeprefix(self._repository.prefix)

    def _report(self, sent: int) -> GitSynced:
        return GitSynced(
            str(self._remote),
            self._committed,
            tuple(dict.fromkeys(self._edits)),
            self._received,
            sent,
            tuple(self._files),
            tuple(dict.fromkeys(self._conflicts)),
            tuple(self._kept),
            self._left_out,
        )
