"""`git sync`: commit what is here, take in what the others sent, send what they lack."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from vademecum.core.errors import LockTimeout, NoteNotFound, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.workspace.git import Nowhere, Repository, repository_of
from vademecum.workspace.git.remote import Remote, fetched, is_being_moved, pushed, remote_of
from vademecum.workspace.git.trees import must, steps
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace
from vademecum.writing.branch import entry_text, has_commit
from vademecum.writing.commit import branch_held, carry, is_set_up, waiting
from vademecum.writing.commit_message import owned
from vademecum.writing.git_bring import told_of, twins
from vademecum.writing.git_edits import Uncommitted, edited, edits
from vademecum.writing.git_landing import Landed, Landing, go_on
from vademecum.writing.git_union import Union, united

_ROUNDS = 20
"""How often the remote may move before a sync gives up."""
_WAITS = 8
"""How often a sync waits for another push that is at the branch."""
_PAUSE = 0.1
"""Seconds of the first of those waits; each is longer by that."""
_CALM = 5
"""How often files may change while they are merged before that is merged file by file."""
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
    if why:
        with branch_held(workspace):  # a git whose sync was killed, and that goes on by itself
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
        self._landing = Landing(workspace, repository, actor, str(remote))
        self._begun = ""
        """A commit whose files a sync that died brought in, after which somebody went on."""

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
        with branch_held(self._workspace):
            self._go_on()
        for number in range(_ROUNDS):
            self._progress("asking the remote", number, 0)
            theirs = fetched(self._repository, self._remote)
            if number and theirs == before:
                if number > _WAITS or not is_being_moved(why):
                    break
                time.sleep(_PAUSE * number)
            with branch_held(self._workspace):
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
            self._go_on()
            head = self._committed_all()
            wanted = self._lacking(head, theirs)
            if not wanted:
                return head
            self._merge(head, wanted, calm=attempt < _CALM)
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
        if not self._landing.move(head, made.commit, told, {}, "vade: commit edits"):
            return self._committed_all()
        self._edits += [self._within(path) for path in made.paths]
        return made.commit

    def _go_on(self) -> None:
        """Do the rest of what a sync that died had begun; what it was to be merged with is told."""
        done = go_on(self._landing)
        if done is None:
            return
        self._note(done)
        self._kept += done.kept
        self._conflicts += [(self._within(path), why) for path, why in done.conflicts]
        if done.moved:
            self._received += self._count(done.head, self._of_the_others(done))
        else:
            self._begun = done.commit

    def _of_the_others(self, done: Landed) -> str:
        """Return the commit that was merged: `done.commit` itself where that was theirs."""
        parents = self._repository.git.run("rev-parse", f"{done.commit}^@").text.split()
        ours = len(parents) == 2 and parents[0] == done.head
        return parents[1] if ours else done.commit

    def _merge(self, head: str, theirs: str, *, calm: bool) -> None:
        """Merge `theirs` into branch and files, or nothing where it has to be begun again.

        While it is `calm`, files that changed since `head` are committed first.
        """
        union = self._union(head, theirs)
        ahead = not head or has_commit(self._repository, head, theirs)
        found = steps(self._repository, head, union.tree)
        bringing = self._landing.bringing(found)
        if calm and bringing.moved_on():
            return
        lagging = self._landing.lagging(head, found)
        bringing.take_others(head)
        self._kept += bringing.keep(union.asides)
        count = self._count(head, theirs)
        commit = theirs
        if not ahead:
            subject = f"sync: {count} commit{'s' if count != 1 else ''} of {self._remote}\n"
            commit = owned(self._workspace, self._repository, union.tree, [head, theirs], subject)
        done = self._landing.land(bringing, head, commit, lagging)
        if not done.moved:
            return
        self._note(done)
        told_twins = told_of(bringing.twins, found, self._repository)
        self._conflicts += [
            (self._within(path), why) for path, why in (*union.conflicts, *told_twins)
        ]
        self._received += count

    def _note(self, done: Landed) -> None:
        self._files += [path for path in done.files if path not in self._files]

    # ------------------------------------------------------------ what Git says

    def _union(self, head: str, theirs: str) -> Union:
        if not head or has_commit(self._repository, head, theirs):
            return Union(must(self._repository.git.run("rev-parse", f"{theirs}^{{tree}}")).text)
        if has_commit(self._repository, theirs, head):
            return Union(must(self._repository.git.run("rev-parse", f"{head}^{{tree}}")).text)
        if not self._repository.git.run("merge-base", head, theirs).ok:
            raise Refused(
                f"The history of {self._remote} has nothing in common with the one here.",
                hint="If they belong together: git pull --allow-unrelated-histories, once.",
            )
        return united(self._workspace, self._repository, head, theirs)

    def _lacking(self, head: str, theirs: str) -> str:
        """Return the next commit that the branch is to have and has not; empty when it has all."""
        both = (one for one in (self._begun, theirs) if one)
        return next((one for one in both if not has_commit(self._repository, one, head)), "")

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
