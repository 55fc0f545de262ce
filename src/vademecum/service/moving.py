"""Verbs of moving in and out: migration from other systems, export to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, overload

from vademecum.core.errors import BadInput, Refused
from vademecum.core.provenance import Actor
from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.core.export import Exported as Exported
    from vademecum.core.migration import MigrationPlan as MigrationPlan
    from vademecum.core.migration import MigrationReport as MigrationReport
    from vademecum.core.migration import MigrationStanding as MigrationStanding

Progress = Callable[[str, int, int], None]

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Moving(Part):
    """The part of `Memory` that takes in what others left, and gives it back."""

    @overload
    def migrate(self) -> tuple[MigrationStanding, ...]: ...
    @overload
    def migrate(
        self, source: str | Path, *, own: bool = False, progress: Progress | None = None
    ) -> MigrationPlan: ...
    @overload
    def migrate(
        self, *, approved: MigrationPlan, progress: Progress | None = None
    ) -> MigrationReport: ...
    @overload
    def migrate(self, *, rollback: str) -> MigrationStanding: ...
    @overload
    def migrate(self, *, finish: str) -> MigrationStanding: ...

    def migrate(
        self,
        source: str | Path | None = None,
        *,
        approved: MigrationPlan | None = None,
        rollback: str | None = None,
        finish: str | None = None,
        own: bool = False,
        progress: Progress | None = None,
    ) -> tuple[MigrationStanding, ...] | MigrationPlan | MigrationReport | MigrationStanding:
        """Move what another system left into this workspace, step by step.

        With a `source`, a file or directory, return what would be done; nothing is changed. `own`
        says that it is an export of one's own memory from another installation, where what is
        stated stays so; only a person says that. An
        `approved` plan is carried out: originals are staged, notes, logs and instructions written,
        and every line is accounted for; after a kill the same call goes on. `rollback` takes a
        migration back to identical bytes, `finish` lets its staged originals go (an id, or an
        empty text for the newest). Without any of these, return all migrations. Raises NotFound,
        Refused, ChangedMeanwhile, Unaccounted and what any write raises.
        """
        from vademecum.migration import migrate
        from vademecum.migration.planning import make_plan
        from vademecum.migration.writer import ACTOR

        given = [each for each in (source, approved, rollback, finish) if each is not None]
        if len(given) > 1:
            raise BadInput(
                "A source, an approved plan, rollback and finish exclude each other.",
                hint="Give one of them.",
            )
        told = progress or _silent
        name = self._caller.name
        if own and name:
            raise Refused(
                f"Whether what was stated there stays stated is a person's decision, not {name}'s.",
                hint="Move it in without --own; what is stated becomes observed.",
            )
        writer = name or ACTOR
        with self._turn:
            if source is not None:
                self._caller.check_source(Path(source))
                model = self._parts.model_for(Actor(writer))
                return make_plan(self._workspace, Path(source), model=model, progress=told, own=own)
            if not given:
                return migrate.migrations(self._workspace)
            self._changing()
            if approved is not None:
                self._caller.check_source(Path(approved.source))
                return migrate.carry_out(self._workspace, approved, progress=told, actor=writer)
            if rollback is not None:
                return migrate.roll_back(self._workspace, rollback, actor=writer)
            return migrate.finish(self._workspace, finish or "")

    def export(
        self, to: str | Path, *, form: str = "okf", progress: Progress | None = None
    ) -> Exported:
        """Write the memory for others to read; nothing in it is changed.

        `form` is `okf` (a bundle of the Open Knowledge Format 0.1), `obsidian` (a vault), both a
        folder, or `json` (a file: one document, or with the ending `.jsonl` a line a note). `to`
        appears whole or not at all; an unchanged earlier export of this workspace is replaced.
        Quarantine and credentials never go out. Raises BadInput, NotFound, Refused and
        StorageFailed.
        """
        from vademecum.core.export import ExportForm
        from vademecum.migration.export.export import export

        try:
            chosen = ExportForm(form)
        except ValueError:
            raise BadInput(
                f"There is no form {form!r} to export in.",
                hint=f"Forms are: {', '.join(ExportForm)}.",
            ) from None
        with self._turn:
            self._caller.check_target(Path(to))
            return export(self._workspace, to, chosen, progress=progress or _silent)


def _silent(_doing: str, _done: int, _total: int) -> None:
    """Take note of nothing."""
