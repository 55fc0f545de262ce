"""Bringing notes back from the archive, in the name of whoever asks."""

from __future__ import annotations

from vademecum.core.clock import human_day
from vademecum.core.errors import LockTimeout
from vademecum.core.ids import new_entry_id
from vademecum.core.jobs import Declined, Job, JobReport, Moved, Plan, Step
from vademecum.core.provenance import Actor
from vademecum.lifecycle.archive import RESTORE, plan_restore
from vademecum.service.applying import CANNOT, DECLINED, Applied, Applying
from vademecum.service.jobs import lock_of_job, told
from vademecum.service.remembering import Remembering
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace

_ELSEWHERE = "The archive is being changed by another process; nothing was done here."


def restore(
    workspace: Workspace, remembering: Remembering, actor: Actor, target: str, *, dry_run: bool
) -> JobReport:
    """Bring back what `target` names; nothing is written over. Raises what `plan_restore` raises.

    The moves are changes of `actor`, all in one group of the ledger, which is the key of the
    report. While another process changes the archive, nothing is done and the report says so.
    """
    group = new_entry_id(workspace.clock.now())
    if dry_run:
        plan = plan_restore(workspace, target)
        steps = tuple(
            Step(one, "moved", diff=f"rename from {one.path}\nrename to {one.to}\n")
            for one in plan.proposals
            if isinstance(one, Moved)
        )
        return _report(group, plan, steps, dry_run=True)
    try:
        with locked(lock_of_job(workspace.state, Job.ARCHIVE), timeout=0.0):
            workspace.files.recover()
            plan = plan_restore(workspace, target)
            today = human_day(workspace.clock.now(), workspace.zone)
            applying = Applying(
                workspace, remembering, Job.ARCHIVE, actor, since=today, verb=RESTORE
            )
            steps = tuple(_step(applying, one, group) for one in plan.proposals)
    except LockTimeout:
        return _report(group, Plan(notes=(_ELSEWHERE,)), (), elsewhere=True)
    return _report(group, plan, steps)


def _step(applying: Applying, proposal: object, group: str) -> Step:
    assert isinstance(proposal, Moved)
    try:
        applied = applying.apply(proposal, group)
    except CANNOT as error:
        applied = Applied(DECLINED, str(error))
    return Step(proposal, applied.outcome, group if applied.outcome == "moved" else "", applied.why)


def _report(
    group: str,
    plan: Plan,
    steps: tuple[Step, ...],
    *,
    dry_run: bool = False,
    elsewhere: bool = False,
) -> JobReport:
    refused = tuple(
        Declined(told(step.proposal), step.why) for step in steps if step.outcome == DECLINED
    )
    return JobReport(
        Job.ARCHIVE,
        group,
        "",
        steps,
        plan.declined + refused,
        notes=plan.notes,
        dry_run=dry_run,
        elsewhere=elsewhere,
    )
