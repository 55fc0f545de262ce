"""A migration from its plan to its end: stage, apply, verify, roll back, finish."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from vademecum.core.errors import Unaccounted
from vademecum.core.migration import (
    MigrationPlan,
    MigrationReport,
    MigrationStanding,
    Phase,
)
from vademecum.core.notes import Span
from vademecum.migration.applying import Applied, Applying
from vademecum.migration.reporting import write_report
from vademecum.migration.shelf import Case, Shelf
from vademecum.migration.staging import stage
from vademecum.migration.taking_back import finish as finish_case
from vademecum.migration.taking_back import roll_back as roll_back_case
from vademecum.migration.verifying import unfound
from vademecum.migration.writer import ACTOR
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]
_MOST_ACCOUNTS = 5_000
"""Rows of accounts that a report has itself; its file has all."""
_BACK = (Phase.DONE, Phase.APPLIED, Phase.STAGED, Phase.PLANNED)


def carry_out(
    workspace: Workspace, plan: MigrationPlan, *, progress: Progress, actor: str = ACTOR
) -> MigrationReport:
    """Carry out an approved plan, or go on where an earlier run of it stopped.

    Raises Unaccounted where a line of the source cannot be accounted for: what was written stays
    until it is rolled back. Raises ChangedMeanwhile where the source is not what was planned, and
    what any write raises.
    """
    if plan.empty:
        return MigrationReport(plan.id, plan.source, Phase.DONE, already=True, passed=plan.passed)
    shelf = Shelf(workspace)
    with shelf.alone():
        case = shelf.new(plan.id)
        if case.phase is Phase.PLANNED:
            stage(workspace, case, plan, progress)
        if case.phase in (Phase.STAGED, Phase.APPLIED):
            return _applied(workspace, case, plan, progress, actor)
        return _report(case, plan, None)


def roll_back(workspace: Workspace, id: str, *, actor: str = ACTOR) -> MigrationStanding:
    """Take back a migration, the newest that can be where `id` is empty. Raises NotFound, Refused.

    One that is finished is taken back as far as old versions of files go; its originals are not
    staged any more.
    """
    shelf = Shelf(workspace)
    with shelf.alone():
        case = shelf.case(id, *_BACK)
        if case.phase is not Phase.ROLLED_BACK:
            roll_back_case(workspace, case, actor)
        return standing(case)


def finish(workspace: Workspace, id: str) -> MigrationStanding:
    """Let the staged originals of a migration go. Raises NotFound, Refused."""
    shelf = Shelf(workspace)
    with shelf.alone():
        case = shelf.case(id, Phase.DONE)
        finish_case(case)
        return standing(case)


def migrations(workspace: Workspace) -> tuple[MigrationStanding, ...]:
    """Return every migration into this workspace, the oldest first."""
    return tuple(standing(case) for case in Shelf(workspace).cases())


def standing(case: Case) -> MigrationStanding:
    """Return how one migration stands."""
    plan = case.plan()
    report = str(case.report) if case.report.is_file() else ""
    return MigrationStanding(
        plan.id, plan.source, case.phase, plan.at, len(plan.files), report, case.left()
    )


def _applied(
    workspace: Workspace, case: Case, plan: MigrationPlan, progress: Progress, actor: str
) -> MigrationReport:
    done = Applying(workspace, case, plan, progress, actor).run()
    case.reach(Phase.APPLIED)
    report = _report(case, plan, done)
    write_report(case, plan, report)
    lost = [*done.missing, *islice(unfound(workspace, case, plan, progress), 20)]
    if lost:
        raise _unaccounted(case, lost)
    case.reach(Phase.DONE)
    return _report(case, plan, done)


def _report(case: Case, plan: MigrationPlan, done: Applied | None) -> MigrationReport:
    rows = tuple(islice(case.accounts(), _MOST_ACCOUNTS + 1))
    files = done.files if done is not None else ()
    return MigrationReport(
        id=plan.id,
        source=plan.source,
        phase=case.phase,
        files=files,
        lines=sum(file.lines for file in files),
        accounted=sum(file.accounted for file in files),
        notes=done.notes if done is not None else 0,
        claims=done.claims if done is not None else 0,
        accounts=rows if len(rows) <= _MOST_ACCOUNTS else (),
        passed=plan.passed,
        quarantined=plan.quarantined,
        degraded=(*plan.degraded, *(done.degraded if done is not None else ())),
        report=str(case.report),
    )


def _unaccounted(case: Case, lost: list[Span]) -> Unaccounted:
    shown = ", ".join(str(span) for span in lost[:3])
    return Unaccounted(
        f"Lines of the source are not accounted for ({shown}), so the migration is not done.",
        hint=f"Take it back: vade migrate --rollback {case.id}. The originals are untouched.",
    )
