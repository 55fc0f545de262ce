"""Memory: one workspace, one method a verb; every surface goes through it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias, overload

from vademecum.agents.scope import Caller
from vademecum.core.provenance import Actor
from vademecum.service.answering import Answering
from vademecum.service.claiming import Claiming
from vademecum.service.keeping import Keeping
from vademecum.service.listing import Listing
from vademecum.service.moving import Moving
from vademecum.service.opening import Prepared, actor_of, caller_of, init, workspace_of
from vademecum.service.overseeing import Overseen
from vademecum.service.sharing import Sharing
from vademecum.service.tending import Tending
from vademecum.service.turns import Turn
from vademecum.service.waking import Waking
from vademecum.service.wiring import Parts
from vademecum.workspace.config import SettingRow
from vademecum.workspace.keys import Value
from vademecum.workspace.workspace import Workspace

if TYPE_CHECKING:
    from vademecum.core.changes import Written
    from vademecum.core.jobs import JobReport
    from vademecum.core.models import Respondent
    from vademecum.core.ports import Clock, Embedder
    from vademecum.core.search import Degradation
    from vademecum.indexing.refresh import Refresher
    from vademecum.indexing.sync import SyncReport as SyncReport
    from vademecum.service.doctor.finding import Diagnosis
    from vademecum.service.reading import Excerpt
    from vademecum.service.standing import Standing

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is going on, how much is done and how much there is (0: not known)."""

_INDEXER_PATIENCE = 60.0
"""Seconds that a sync waits for another process that is indexing."""

__all__ = ["Memory", "Prepared", "SettingRow", "init", "open_memory"]

# Each verb imports its engine when it is called: a log entry does not pay for a search engine.
# ruff: noqa: PLC0415


def open_memory(
    root: str | Path | None = None,
    *,
    agent: str | None = None,
    actor: str | None = None,
    profile: str | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: Respondent | None = None,
    settings: Mapping[str, Value] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Memory:
    """Open the workspace at `root`, which no byte of it is changed by.

    Without `root` it is the one that VADE_WORKSPACE names, else the nearest from the working
    directory upwards, else that of the default agent. `agent`, without it VADE_AGENT, is in whose
    name the calls are made: a registered one has its own workspace and no other. `actor` is another
    name to write under. `embedder` and `model` stand for those of the configuration. `settings` are
    keys of the configuration by their full names and win over files and environment; `variables`
    stand for the environment. Raises WorkspaceNotFound, Sealed, InvalidConfiguration, and BadInput
    where the agent is called as a person is.
    """
    caller = caller_of(root, agent, variables)
    opened = workspace_of(caller, profile=profile, settings=settings, clock=clock)
    writer = actor_of(opened, actor or caller.name)
    return Memory(opened, Parts(opened, embedder, model), writer, caller)


class Memory(Answering, Claiming, Keeping, Overseen, Listing, Waking, Tending, Sharing, Moving):
    """One workspace.

    Calls from several threads are carried out one after another; several processes may have the
    same workspace open. Close it, or use it in a `with` block.
    """

    def __init__(
        self, workspace: Workspace, parts: Parts, actor: Actor, caller: Caller | None = None
    ) -> None:
        self._workspace = workspace
        self._parts = parts
        self._actor = actor
        self._caller = caller or Caller(workspace.root)
        self._turn = Turn(self._caller.check)
        self._kept_fresh: Refresher | None = None
        self._wrote = False
        self._remembering = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release index and model; the memory is not used again.

        Where `vade git setup` was run, what was written is committed first.
        """
        with self._turn.last():
            if self._wrote:
                self._commit_behind()
            self._parts.close()

    # ------------------------------------------------------------ writing

    def log(self, text: str, *, title: str = "", redact: bool = False) -> Written:
        """Append `text` to today's log under the time it is now; durable when it returns.

        Without a title the entry is named by its first words. `redact` leaves out credentials.
        Raises InvalidText, SecretFound and what any write raises (ReadOnly, DiskFull,
        StorageFailed, StateUnwritable, LockTimeout).
        """
        from vademecum.writing.log import append_entry

        with self._turn:
            self._changing()
            return append_entry(
                self._workspace, text, actor=self._actor, title=title, redact=redact
            )

    @overload
    def now(self, *, limit: int | None = None) -> Excerpt: ...
    @overload
    def now(self, text: str, *, base: str = "") -> Written: ...
    @overload
    def now(self, text: str, *, replacing: str) -> Written: ...

    def now(
        self,
        text: str | None = None,
        *,
        base: str = "",
        replacing: str | None = None,
        limit: int | None = None,
    ) -> Excerpt | Written:
        """Show the workbench, overwrite it with `text`, or put `text` in place of `replacing`.

        `replacing` has to occur exactly once. `base` is the digest of the version that `text` was
        made from: what others changed since is then merged, or ChangedMeanwhile raised. `limit` is
        that of `get`. Raises NotFound, AmbiguousTarget, OverBudget, InvalidText and what any write
        raises.
        """
        from vademecum.writing import workbench

        with self._turn:
            if text is None:
                return self._whole(workbench.show(self._workspace).path, limit)
            self._changing()
            if replacing is not None:
                return workbench.edit(self._workspace, replacing, text, actor=self._actor)
            return workbench.replace(self._workspace, text, actor=self._actor, base=base)

    def config(self) -> tuple[SettingRow, ...]:
        """Return every setting with its value and where that comes from; no secret is in it."""
        from vademecum.workspace.config import describe

        with self._turn:
            return describe(self._workspace.settings)

    # ------------------------------------------------------------ keeping

    def sync(
        self,
        paths: Sequence[str] = (),
        *,
        vectors: bool = True,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Bring the index up to date with the files, or with the files and folders `paths`.

        Words first, then claims and vectors unless they are declined; what stops it loses nothing.
        Raises NoteNotFound for a place with no note, InvalidPath, IndexUnusable, StorageFailed.
        """
        from vademecum.indexing.sync import sync
        from vademecum.service.catalogue import places

        with self._turn:
            report = sync(
                self._workspace,
                self._parts.index,
                self._parts.embedder if vectors else None,
                paths=places(self._workspace, self._parts.index.stamps, paths),
                wait=_INDEXER_PATIENCE,
                progress=progress,
                claims=None if vectors else 0,
            )
            self._commit_behind()
            return report

    def watch(
        self,
        on_sync: Callable[[SyncReport], None],
        *,
        stop: threading.Event | None = None,
        on_degraded: Callable[[Degradation], None] = lambda _: None,
    ) -> None:
        """Keep the index up to date until `stop` is set; `on_sync` hears what each sync did.

        Other threads may use this memory meanwhile. Raises Refused when another process watches,
        and, before anything more is read, Sealed once this memory is no longer the caller's.
        """
        from vademecum.service.watching import keep_watch

        self._turn.check()
        keep_watch(
            self._workspace,
            self._parts,
            on_sync,
            stop=stop or threading.Event(),
            on_degraded=on_degraded,
            check=self._turn.check,
        )

    def status(
        self,
        *,
        temperature: bool = False,
        limit: int = 50,
        progress: Progress | None = None,
    ) -> Standing:
        """Return how workspace and index stand at this moment; nothing is changed.

        With `temperature` every note is measured (age, references in the logs of the last week,
        priority), and the `limit` hottest are listed, 0 for all.
        """
        from dataclasses import replace

        from vademecum.service.granting import sharing
        from vademecum.service.standing import standing, temperatures_of

        with self._turn:
            found = standing(self._workspace, self._parts)
            found = replace(found, sharing=sharing(self._workspace, self._caller))
            if not temperature:
                return found
            measured = temperatures_of(self._workspace, limit, progress)
            return replace(found, temperatures=measured)

    def doctor(
        self,
        *,
        fix: bool = False,
        dry_run: bool = False,
        okf: bool = False,
        progress: Progress | None = None,
    ) -> Diagnosis:
        """Run every check over files, ledger, index, configuration and system.

        With `okf` only whether the notes are a conformant Open Knowledge Format bundle.

        Nothing is changed, unless `fix` mends what needs no judgement: each mend is a write that
        `undo` takes back. With `dry_run` it says what it would do. Raises what any write raises.
        """
        from vademecum.service.doctor.examine import examine, examine_and_mend

        with self._turn:
            if okf:
                from vademecum.service.doctor.bundle import examine_bundle

                return examine_bundle(self._workspace, progress=progress)
            if not (fix or dry_run):
                return examine(self._workspace, self._parts, progress=progress)
            self._changing()
            return examine_and_mend(
                self._workspace, self._parts, self._actor, dry_run=dry_run, progress=progress
            )

    # ------------------------------------------------------------ for the verbs above

    def _beside(self, workspace: Workspace) -> Self:
        """Return a memory of another workspace, for as long as one call of this one takes."""
        return type(self)(workspace, Parts(workspace), self._actor)

    def _promoted(self, id: str) -> JobReport:
        return self.promote(apply=True, only=(id,))

    def _changing(self) -> None:
        self._wrote = True
        if self._kept_fresh is not None:
            self._kept_fresh.expect_change()
