"""Verbs by which a person oversees memory: what was written, taking it back, forgetting, Git."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from vademecum.core.errors import BadInput, IndexUnusable, LockTimeout, StorageFailed
from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.core.changes import Change, Written
    from vademecum.indexing.sync import SyncReport
    from vademecum.writing.forget import Forgotten as Forgotten
    from vademecum.writing.git_setup import GitStanding as GitStanding
    from vademecum.writing.git_sync import GitSynced as GitSynced
    from vademecum.writing.git_sync import Progress
    from vademecum.writing.undo_many import Undone as Undone

GitAction: TypeAlias = Literal["status", "setup", "commit", "remove"]

_SECONDS_BEHIND = 2.0
"""How long committing may take behind the writes of one memory."""

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Overseen(Part):
    """The part of `Memory` that looks back at what was written."""

    def sync(
        self,
        paths: Sequence[str] = (),
        *,
        vectors: bool = True,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Bring the index up to date; see `Memory`."""
        raise NotImplementedError

    def history(
        self,
        path: str | None = None,
        *,
        claim: str | None = None,
        verb: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        since: date | str | None = None,
        limit: int = 20,
    ) -> tuple[Change, ...]:
        """Return the newest writes that fit all that is given, newest first.

        `claim` is a block id: the writes that touched its line. Of an `actor` that is an agent
        which was renamed, those under its earlier names are among them, each with the name under
        which it was made. Raises BadInput.
        """
        from vademecum.writing.history import changes

        with self._turn:
            return changes(
                self._workspace, path, claim=claim, verb=verb, actor=actor,
                earlier={one.name: one.until for one in self._caller.former_names(actor or "")},
                session=session, since=_day(since), limit=limit,
            )  # fmt: skip

    @overload
    def undo(self, change: str) -> tuple[Written, ...]: ...
    @overload
    def undo(
        self,
        *,
        session: str | None = None,
        actor: str | None = None,
        since: date | str | None = None,
    ) -> Undone: ...

    def undo(
        self,
        change: str | None = None,
        *,
        session: str | None = None,
        actor: str | None = None,
        since: date | str | None = None,
    ) -> tuple[Written, ...] | Undone:
        """Take back the write or the call with that id, or all that a session or an actor wrote.

        What others wrote since then stays; of many, what they changed is left and listed. Raises
        LedgerEntryNotFound, ChangedMeanwhile, Refused, BadInput and what any write raises.
        """
        from vademecum.writing.undo import undo
        from vademecum.writing.undo_many import undo_of

        with self._turn:
            self._changing()
            if change is not None:
                return undo(self._workspace, change, actor=self._actor)
            if session is None and actor is None:
                raise BadInput("Nothing was named to take back.", hint="Name an id or a session.")
            return undo_of(
                self._workspace, actor=self._actor, session=session, by=actor, since=_day(since)
            )

    def forget(
        self,
        targets: str | Sequence[str],
        *,
        purge: bool = False,
        reason: str = "",
        dry_run: bool = False,
    ) -> Forgotten:
        """Take facts out of every file, the index and its vectors, with what rests on them.

        Targets are block ids (`^c7f3a1`), spans (`PATH:3-5`), or a text: of a text only the places
        are returned, for the ids among them to be named. `purge` removes old versions too, so that
        it cannot be taken back; for what was forgotten earlier, name its tombstone. `reason` stands
        beside the tombstone. With `dry_run` nothing is changed. Raises ClaimNotFound, NoteNotFound,
        Refused, BadInput and what any write raises.
        """
        from vademecum.service import forgetting

        named = [targets] if isinstance(targets, str) else list(targets)
        with self._turn:
            if dry_run:
                return forgetting.plan(self._workspace, named)
            self._changing()
            return forgetting.forget(
                self._workspace, self._parts, self._actor, named, purge=purge, reason=reason
            )

    @overload
    def git(self, action: GitAction = "status") -> GitStanding: ...
    @overload
    def git(
        self,
        action: Literal["sync"],
        *,
        remote: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> GitSynced: ...

    def git(
        self,
        action: GitAction | Literal["sync"] = "status",
        *,
        remote: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> GitStanding | GitSynced:
        """Show how memory stands with Git, set this clone up, commit, sync, or undo setup.

        `sync` commits what was written and edited by hand, merges what the others pushed into the
        files by claim, whoever writes to them meanwhile, brings the index up to date and pushes.
        `remote` is the one that the branch follows unless it is named; with `dry_run` nothing is
        changed. Raises Refused where the repository is in no state for it, RemoteUnreachable,
        SecretFound, and what any write raises.
        """
        from vademecum.writing import commit, git_setup

        with self._turn:
            if action == "setup":
                return git_setup.setup(self._workspace, actor=self._actor, command=_this_program())
            if action == "sync":
                return self._synced(remote, dry_run, progress)
            if action == "remove":
                return git_setup.remove(self._workspace, actor=self._actor)
            if action == "commit":
                done = commit.commit(self._workspace)
                did = f"made {done.commits} commit(s) of {done.changes} write(s)"
                return git_setup.standing(self._workspace, [did] if done.commits else [])
            return git_setup.standing(self._workspace)

    def _synced(self, remote: str, dry_run: bool, progress: Progress | None) -> GitSynced:
        from vademecum.writing.git_sync import sync

        if not dry_run:
            self._changing()
        done = sync(
            self._workspace, actor=self._actor, remote=remote, dry_run=dry_run, progress=progress
        )
        if done.files and not dry_run:
            with suppress(IndexUnusable, LockTimeout):  # the next search or sync makes up for it
                self.sync(vectors=False, progress=progress)
        return done

    def _commit_behind(self) -> None:
        """Carry what was written into Git, where that was set up; the writes are done already."""
        if not (self._workspace.state / "git" / "progress.json").is_file():
            return
        from vademecum.writing.commit import commit

        with suppress(StorageFailed):  # the backlog stays, and `status` tells of it
            commit(self._workspace, seconds=_SECONDS_BEHIND)


def _day(day: date | str | None) -> date | None:
    from vademecum.service.asking import day_asked

    return day_asked(day)


def _this_program() -> str:
    """Return how Git calls this program: by the script that runs now, else as a module."""
    script = Path(sys.argv[0])
    if script.name == "vade" and script.is_file():
        return _quoted(str(script.absolute()))
    return f"{_quoted(sys.executable)} -m vademecum"


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path).replace("%", "%%")
