"""Committing: the ledger is carried into Git behind the writes, never in their way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import LockTimeout, NoteNotFound, StorageFailed, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.git import Nowhere, Ran, Repository, repository_of
from vademecum.workspace.git.command import handing_on
from vademecum.workspace.git.progress import Progress, backlog_of, is_started, read, write
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.locks import PATIENCE, locked
from vademecum.workspace.whole import make_folders
from vademecum.workspace.workspace import Workspace
from vademecum.writing.branch import arrived, entry_text, has_commit, is_unfinished, move
from vademecum.writing.commit_message import identity, message, signed_by

_FILE_MODE = "100644"
_CUT_SHORT = "a sync was cut short, and the next one (vade git sync) goes on with it"


@dataclass(frozen=True, slots=True)
class Committed:
    """What a round of committing did, and what is left for the next one."""

    commits: int = 0
    changes: int = 0
    waiting: int = 0
    """Changes in the ledger that are not in Git yet."""
    why: str = ""
    """Why they wait; empty when nothing waits."""


class _Stopped(Exception):
    """Git refused a step; carries what it said."""


def commit(workspace: Workspace, *, seconds: float | None = None) -> Committed:
    """Carry what the ledger has into Git: one commit for each run of one actor, session and verb.

    Only files of this workspace that were written here are committed, each in the version that
    was written; what the user staged stays staged, and the working tree is not touched. Where it
    cannot be done now, the backlog stays and `why` says so; the next round takes it along. After
    `seconds` it stops between two commits. Raises StateUnwritable.
    """
    if not is_set_up(workspace):
        return Committed()
    try:
        with branch_held(workspace, timeout=0.0):
            return carry(workspace, seconds)
    except LockTimeout:
        return Committed(waiting=waiting(workspace), why="another process is committing")


def carry(workspace: Workspace, seconds: float | None = None) -> Committed:
    """Do what `commit` does where it is set up, in the block of `branch_held`."""
    return _Round(workspace, seconds).run()


@contextmanager
def branch_held(workspace: Workspace, timeout: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of whoever moves the branch on behalf of this workspace.

    A `git` that runs in the block keeps it until it has ended, whoever is killed. Raises
    LockTimeout.
    """
    with locked(workspace.state / "locks" / "git.lock", timeout) as lock, handing_on(lock):
        yield


def is_set_up(workspace: Workspace) -> bool:
    """Whether `vade git setup` was run here and the configuration does not forbid commits."""
    return workspace.settings.git.commit and is_started(workspace.state)


def hindrance(workspace: Workspace, found: Repository | Nowhere) -> str:
    """Return why nothing can be committed at the moment, empty when it can."""
    if isinstance(found, Nowhere):
        return found.why
    progress = read(workspace.state, workspace.ledger.path)
    cut = progress.bringing_to and is_unfinished(found, progress, found.head())
    return found.busy() or (_CUT_SHORT if cut else "")


def waiting(workspace: Workspace) -> int:
    """Return how many changes are in the ledger and not in Git; 0 where none are committed."""
    if not is_started(workspace.state):
        return 0
    path = workspace.ledger.path
    return len(backlog_of(path, read(workspace.state, path).offset))


class _Round:
    """One round of the committer, which holds its lock."""

    def __init__(self, workspace: Workspace, seconds: float | None) -> None:
        self._workspace = workspace
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._index = {"GIT_INDEX_FILE": str(workspace.state / "git" / "index")}
        self._ledger = workspace.ledger.path
        self._known: dict[str, bytes] = {"": b""}
        self._last: Mapping[str, str] = {}
        self._forgotten: Mapping[str, int] = {}
        self._merged: frozenset[str] = frozenset()

    def run(self) -> Committed:
        # A file that is written and not in the ledger yet would be taken for an edit by hand.
        self._workspace.files.recover()
        progress = read(self._workspace.state, self._ledger)
        if not progress.behind and not backlog_of(self._ledger, progress.offset):
            return Committed()
        found = repository_of(self._workspace.root)
        why = found.why if isinstance(found, Nowhere) else found.busy()
        if isinstance(found, Nowhere) or why:
            return Committed(waiting=waiting(self._workspace), why=why)
        try:
            return self._carry(found, progress)
        except _Stopped as refused:
            return Committed(waiting=waiting(self._workspace), why=str(refused))

    def _carry(self, repository: Repository, progress: Progress) -> Committed:
        head = repository.head()
        if progress.next_head and has_commit(repository, progress.next_head, head):
            progress.offset, progress.next_head = progress.next_offset, ""  # died before it noted
            progress.taken = progress.next_taken
        if is_unfinished(repository, progress, head):
            raise _Stopped(_CUT_SHORT)
        progress.bringing_from = progress.bringing_to = ""
        backlog = backlog_of(self._ledger, progress.offset)
        self._read_tree(repository, head)
        changes = [change for change, _ in backlog]
        self._merged = _before_taken(changes, progress.taken)
        taken = self._not_ignored(repository, changes)
        self._last = {change.path: change.id for change in changes}
        self._forgotten = {
            change.path: number for number, change in enumerate(changes) if change.verb == "forget"
        }
        last, commits, done = head, 0, 0
        offset = progress.offset
        touched: set[str] = set()
        for _, run in groupby(backlog, key=lambda one: signed_by(one[0])):
            if commits and self._deadline is not None and time.monotonic() >= self._deadline:
                break
            batch = list(run)
            made = self._commit(repository, last, [c for c, _ in batch], taken, done)
            if made:
                commits, last = commits + 1, made
                touched |= {repository.prefix + change.path for change, _ in batch}
            done, offset = done + len(batch), batch[-1][1]
        self._move(repository, progress, head, last, offset, touched)
        left = len(backlog) - done
        if not left and progress.taken:
            progress.taken = {}
            write(self._workspace.state, progress)
        return Committed(commits, done, left, "there was no more time" if left else "")

    def _read_tree(self, repository: Repository, head: str) -> None:
        folder = self._workspace.state / "git"
        with state_translated(folder):
            make_folders(folder)
            (folder / "index").unlink(missing_ok=True)
            (folder / "index.lock").unlink(missing_ok=True)
        _must(repository.git.run("read-tree", head or "--empty", variables=self._index))

    def _not_ignored(self, repository: Repository, backlog: Sequence[Change]) -> set[str]:
        """Return the paths of the backlog that the repository does not ignore."""
        paths = {change.path for change in backlog}
        names = "\0".join(repository.prefix + path for path in sorted(paths)).encode()
        ran = repository.git.run(
            "check-ignore", "-z", "--stdin", input=names, variables=self._index
        )
        if ran.code not in (0, 1):
            raise _Stopped(ran.error)
        ignored = {name.decode() for name in ran.out.split(b"\0") if name}
        return {path for path in paths if repository.prefix + path not in ignored}

    def _commit(
        self,
        repository: Repository,
        parent: str,
        batch: Sequence[Change],
        taken: set[str],
        first: int,
    ) -> str:
        """Return a commit of one batch on `parent`; nothing when it holds all of it already.

        `first` is the place of the batch in the backlog.
        """
        contents: dict[str, bytes | None] = {}
        for number, change in enumerate(batch, first):
            content = self._version(repository, parent, change)
            forgotten = number < self._forgotten.get(change.path, -1)
            if change.id in self._merged:
                continue  # a merge has it, and this version lacks what the others wrote
            if change.path in taken and not forgotten and content is not _UNKNOWN:
                contents[repository.prefix + change.path] = content
        entries = {
            path: None if content is None else self._stored(repository, path, content)
            for path, content in contents.items()
        }
        _must(repository.write_index(entries, self._index))
        tree = _must(repository.git.run("write-tree", variables=self._index)).text
        before = repository.git.run("rev-parse", "-q", "--verify", f"{parent}^{{tree}}").text
        if not entries or (parent and tree == before):
            return ""
        parents = ["-p", parent] if parent else []
        return _must(
            repository.git.run(
                "commit-tree",
                tree,
                *parents,
                input=message(batch).encode(),
                variables=identity(repository, batch[-1]),
            )
        ).text

    def _stored(self, repository: Repository, path: str, content: bytes) -> Entry:
        ran = repository.git.run("hash-object", "-w", "--stdin", f"--path={path}", input=content)
        return Entry(_FILE_MODE, _must(ran).text)

    def _version(self, repository: Repository, parent: str, change: Change) -> bytes | None:
        """Return the file as the change left it; None for a removal.

        Where that version is kept nowhere, the last change of a file stands for what is on disk.
        """
        if change.effect is Effect.REMOVE:
            return None
        content = self._kept(change.after)
        if content is None and change.effect is Effect.APPEND:
            content = self._appended(repository, parent, change)
        on_disk = self._on_disk(change.path)
        if content is None and on_disk is not None and digest_of(on_disk) == change.after:
            content = on_disk
        if content is None:
            final = self._last[change.path] == change.id
            return on_disk if final and on_disk is not None else _UNKNOWN
        self._known[change.after] = content
        return content

    def _appended(self, repository: Repository, parent: str, change: Change) -> bytes | None:
        """Return what an append made, from what stood before it wherever that is still found."""
        added = self._kept(change.added)
        befores = [self._kept(change.before), self._on_disk(change.path)]
        if parent:
            name = f"{parent}:{repository.prefix}{change.path}"
            befores.append(repository.git.run("cat-file", "blob", name).out)
        for before in befores:
            content = (before or b"")[: change.offset] + (added or b"")
            if digest_of(content) == change.after:
                return content
        return None

    def _kept(self, digest: str) -> bytes | None:
        if digest not in self._known:
            try:
                self._known[digest] = self._workspace.files.records.blobs.get(digest)
            except Unreadable:
                return None
        return self._known[digest]

    def _on_disk(self, path: str) -> bytes | None:
        try:
            return self._workspace.files.read(path).data
        except (NoteNotFound, StorageFailed):
            return None

    def _move(
        self,
        repository: Repository,
        progress: Progress,
        head: str,
        last: str,
        offset: int,
        touched: set[str],
    ) -> None:
        """Let the branch name the new commit, then the user's index know what is committed."""
        if last == head:
            arrived(self._workspace.state, repository, progress, head=head, offset=offset)
            return
        before = repository.in_tree(head, sorted(touched))
        told = {path: entry_text(before.get(path)) for path in touched}
        _must(
            move(
                self._workspace.state, repository, progress,
                head=head, commit=last, offset=offset, told=told,
            )
        )  # fmt: skip


_UNKNOWN = b"\0unknown"


def _before_taken(changes: Sequence[Change], taken: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of the changes that came before the one by which a sync took their file in."""
    found: set[str] = set()
    for path, last in taken.items():
        ids = [change.id for change in changes if change.path == path]
        found.update(ids[: ids.index(last)] if last in ids else ())
    return frozenset(found)


def _must(ran: Ran) -> Ran:
    if not ran.ok:
        raise _Stopped(ran.error or "git ended without a word")
    return ran
