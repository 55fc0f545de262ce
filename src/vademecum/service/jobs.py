"""Running a job: plan, put the plan on file, apply it step by step, go on after a stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from vademecum.core.changes import Change, Effect
from vademecum.core.clock import human_day
from vademecum.core.errors import IndexUnusable, LockTimeout, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import new_entry_id
from vademecum.core.jobs import (
    Believed,
    Composed,
    Declined,
    Entered,
    Job,
    JobReport,
    Moved,
    Plan,
    Proposal,
    Refreshed,
    Rewritten,
    Step,
)
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode
from vademecum.markdown.secrets import redact
from vademecum.service.applying import (
    CANNOT,
    DECLINED,
    THERE,
    Applied,
    Applying,
    diff,
    keep_base,
)
from vademecum.service.job_records import JobRecord, Recorded
from vademecum.service.remembering import Remembering
from vademecum.service.turns import Turn
from vademecum.service.withholding import withheld
from vademecum.workspace.locks import locked
from vademecum.workspace.rehearsed import rehearsing
from vademecum.workspace.workspace import Workspace

Progress: TypeAlias = Callable[[str, int, int], None]
Planning: TypeAlias = Callable[[], Plan]

_ELSEWHERE = "This job runs in another process on this workspace; nothing was done here."


@dataclass(frozen=True, slots=True)
class Hands:
    """What a run of a job works with. `turn` is held while something is applied, never while a
    model is asked."""

    workspace: Workspace
    remembering: Remembering
    turn: Turn


def run_job(
    hands: Hands,
    job: Job,
    key: str,
    plan: Planning,
    *,
    dry_run: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    done_in_files: Callable[[], bool] = lambda: False,
) -> JobReport:
    """Run `job` for `key` (a local date or a moment): plan, then apply each proposal.

    For a key that was done, here or as `done_in_files` sees it, nothing is done unless `again`. The
    plan is on file before any of it is applied; a run that was stopped is gone on with from it, no
    model is asked twice and the files end as they would have. While another process runs the job,
    the report says `elsewhere`. Every write is of the actor `job:JOB` in the session `JOB-KEY`, by
    which `undo` takes all of it back. What a check refuses is declined, with the reason in the
    report. `dry_run` changes nothing; each step has its diff. Raises what `plan` raises and what
    any write raises (ReadOnly, DiskFull, StorageFailed, StateUnwritable, LockTimeout); the run can
    then be repeated.
    """
    run = _Run(hands, job, key, progress or _silent)
    if dry_run:
        return run.shown(plan, again=again, done_in_files=done_in_files)
    with ExitStack() as held:
        try:
            held.enter_context(locked(lock_of_job(hands.workspace.state, job), timeout=0.0))
        except LockTimeout:
            return run.report(Plan(notes=(_ELSEWHERE,)), (), elsewhere=True)
        return run.carried_out(plan, again=again, done_in_files=done_in_files)


def lock_of_job(state: Path, job: Job) -> Path:
    """Return the side file that whoever runs `job` holds."""
    return state / "locks" / f"job-{job.value}.lock"


class _Run:
    """One run; whoever carries it out holds the lock of the job."""

    def __init__(self, hands: Hands, job: Job, key: str, progress: Progress) -> None:
        self._hands = hands
        self._workspace = hands.workspace
        self._job = job
        self._key = key
        self._progress = progress
        self._actor = Actor(job.actor, f"{job.value}-{key}")
        self._record = JobRecord(hands.workspace.state, job, key)

    def carried_out(
        self, plan: Planning, *, again: bool, done_in_files: Callable[[], bool]
    ) -> JobReport:
        """Plan, or take the plan of the run that was stopped, and apply what is not applied."""
        if self._record.is_done() and not again:
            return self.report(Plan(), (), already=True)
        self._workspace.files.recover()
        found = self._record.unfinished()
        resumed = found is not None
        if found is None:
            if not again and done_in_files():
                return self.report(Plan(), (), already=True)
            found = self._planned(plan)
        steps = [*found.steps]
        applying = self._applying(found)
        rest = found.plan.proposals[len(steps) :]
        for proposal in rest:
            self._progress(f"{self._job.value}: applying", len(steps), len(found.plan.proposals))
            with self._hands.turn:
                step = self._step(applying, proposal)
            self._record.applied(step)
            steps.append(step)
        self._record.finish()
        return self.report(found.plan, steps, resumed=resumed)

    def shown(self, plan: Planning, *, again: bool, done_in_files: Callable[[], bool]) -> JobReport:
        """Return what the run would do; nothing is changed."""
        if self._record.is_done() and not again:
            return self.report(Plan(), (), already=True, dry_run=True)
        found = self._record.unfinished()
        resumed = found is not None
        if found is None:
            if not again and done_in_files():
                return self.report(Plan(), (), already=True, dry_run=True)
            self._progress(f"{self._job.value}: planning", 0, 0)
            found = Recorded(self._workspace.clock.now(), withheld(plan()))
        steps = [*found.steps]
        workspace, files = rehearsing(self._workspace)
        with self._hands.turn:
            remembering = self._hands.remembering.rehearsing(workspace)
        rows: list[str] = []

        def show(path: str, before: str, after: str) -> None:
            rows.append(diff(path, before, after))
            files.put(path, after)  # the next step goes on from there
            remembering.reread(path)

        applying = Applying(
            workspace,
            remembering,
            self._job,
            self._actor,
            since=human_day(found.at, workspace.zone),
            show=show,
        )
        for proposal in found.plan.proposals[len(steps) :]:
            rows.clear()
            with self._hands.turn:
                applied = _tried(applying, proposal, "")
            steps.append(_shown(proposal, applied, rows))
        return self.report(found.plan, steps, dry_run=True, resumed=resumed)

    def report(
        self,
        plan: Plan,
        steps: Sequence[Step],
        *,
        already: bool = False,
        dry_run: bool = False,
        elsewhere: bool = False,
        resumed: bool = False,
    ) -> JobReport:
        """Return the report of this run."""
        refused = tuple(
            Declined(told(step.proposal), step.why) for step in steps if step.outcome == DECLINED
        )
        return JobReport(
            self._job,
            self._key,
            self._actor.session,
            tuple(steps),
            plan.declined + refused,
            plan.degraded,
            plan.notes,
            already=already,
            dry_run=dry_run,
            elsewhere=elsewhere,
            resumed=resumed,
        )

    def _planned(self, plan: Planning) -> Recorded:
        self._progress(f"{self._job.value}: planning", 0, 0)
        made = withheld(plan())
        for proposal in made.proposals:
            keep_base(self._workspace, proposal)
        at = self._workspace.clock.now()
        self._record.begin(made, at)
        return Recorded(at, made)

    def _applying(self, found: Recorded) -> Applying:
        return Applying(
            self._workspace,
            self._hands.remembering,
            self._job,
            self._actor,
            since=human_day(found.at, self._workspace.zone),
        )

    def _step(self, applying: Applying, proposal: Proposal) -> Step:
        before = self._end_of_ledger()
        applied = _tried(applying, proposal, new_entry_id(self._workspace.clock.now()))
        recorded, _ = self._workspace.ledger.since(before)
        own = [change for change in recorded if change.session == self._actor.session]
        group = next((change.group or change.id for change in own), "")
        changed = _renamed(proposal) or "".join(map(self._diff_of, own))
        return Step(proposal, applied.outcome, group, applied.why, redact(changed) if own else "")

    def _end_of_ledger(self) -> int:
        try:
            return self._workspace.ledger.path.stat().st_size
        except FileNotFoundError:
            return 0

    def _diff_of(self, change: Change) -> str:
        if change.effect is Effect.APPEND:
            return diff(change.path, "", self._blob(change.added)).replace(
                "--- /dev/null", f"--- a/{change.path}", 1
            )
        return diff(change.path, self._blob(change.before), self._blob(change.after))

    def _blob(self, digest: str) -> str:
        try:
            return decode(self._workspace.files.records.blobs.get(digest)).text if digest else ""
        except Unreadable:
            return ""


def told(proposal: Proposal) -> str:
    """Return what a proposal is about, in a few words for a report."""
    match proposal:
        case Entered(title=title, text=text):
            return f"log entry: {title or text}"
        case Believed(text=text):
            return f"claim: {text}"
        case Composed(path=path):
            return f"new file {path}"
        case Refreshed():
            return "the workbench"
        case Rewritten(path=path):
            return f"edit of {path}"
        case Moved(path=path, to=to):
            return f"move of {path} to {to}"


def _tried(applying: Applying, proposal: Proposal, group: str) -> Applied:
    try:
        return applying.apply(proposal, group)
    except (*CANNOT, IndexUnusable) as error:
        return Applied(DECLINED, str(error))


def _shown(proposal: Proposal, applied: Applied, rows: Sequence[str]) -> Step:
    """Return a step of a dry run, which shows the files that change in `rows`."""
    done = applied.outcome not in (DECLINED, THERE)
    changed = (_renamed(proposal) if done else "") or "".join(rows)
    return Step(proposal, applied.outcome, "", applied.why, redact(changed))


def _renamed(proposal: Proposal) -> str:
    if not isinstance(proposal, Moved):
        return ""
    return f"rename from {proposal.path}\nrename to {proposal.to}\n"


def _silent(doing: str, done: int, total: int) -> None:
    del doing, done, total
