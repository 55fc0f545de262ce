"""Verbs of upkeep: heartbeat, reflection, promotion, archive, and who runs them when."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from vademecum.core.provenance import Actor
from vademecum.service.part import Part

if TYPE_CHECKING:
    from datetime import date

    from vademecum.core.jobs import Job, JobReport, Plan
    from vademecum.lifecycle.schedule import Due
    from vademecum.service.jobs import Hands
    from vademecum.service.remembering import Remembering
    from vademecum.service.serving import Event
    from vademecum.service.timers.placed import Schedule

ScheduleAction: TypeAlias = Literal["install", "status", "remove"]

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Tending(Part):
    """The part of `Memory` that tidies memory."""

    def heartbeat(
        self,
        *,
        dry_run: bool = False,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> JobReport:
        """Look at what happened since the last beat, and bring log, claims and workbench up to it.

        What users said that lasts goes to the log in their words, and what sessions and logs state
        that lasts is remembered with its place as evidence. The workbench shows what is in hand;
        what was written there by hand stays. Where nothing happened, no file is touched. Raises
        what any write raises; the beat can then be repeated.
        """
        from vademecum.service.beating import beat
        from vademecum.service.opening import actor_of

        person = actor_of(self._workspace, None).name
        return beat(self._hands(dry_run=dry_run), person=person, dry_run=dry_run, progress=progress)

    def reflect(
        self,
        day: date | str | None = None,
        *,
        dry_run: bool = False,
        again: bool = False,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> JobReport:
        """Look back on `day` (a date or `YYYY-MM-DD`; today without one) and write it down.

        The reflection is a note of its own, and what the day states that lasts is remembered with
        its entry as evidence. A day that was reflected on is left alone, but entries that came
        since are added; `again` does it once more where the note was removed. With a model it is
        asked before anything is locked or written; the rules do without. Raises BadInput and what
        any write raises; the run can then be repeated.
        """
        from dataclasses import replace

        from vademecum.core.clock import human_day
        from vademecum.core.jobs import Job
        from vademecum.lifecycle.reflect import plan_reflection, reflected, unreflected
        from vademecum.service.asking import day_asked
        from vademecum.service.opening import actor_of

        on = day_asked(day) or human_day(self._workspace.clock.now(), self._workspace.zone)
        person = actor_of(self._workspace, None).name
        with self._turn:
            there = reflected(self._workspace, on)
            left = unreflected(self._workspace, on).entries
            if not left and not there:
                return self._nothing(
                    Job.REFLECT, on.isoformat(), plan_reflection(self._workspace, on)
                )

        def plan() -> Plan:
            asking = Actor(Job.REFLECT.actor, f"{Job.REFLECT.value}-{on}")
            model = self._parts.model_for(asking)
            return plan_reflection(self._workspace, on, person=person, model=model)

        report = self._run_job(
            Job.REFLECT,
            on.isoformat(),
            plan,
            dry_run=dry_run,
            progress=progress,
            again=again or (there and bool(left)),
            done_in_files=lambda: there and not left,
        )
        if report.already and not there:
            told = f"Its note was taken back, or is gone: vade reflect {on} --again writes it anew."
            return replace(report, notes=(told,))
        return report

    def archive(
        self,
        *,
        dry_run: bool = False,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> JobReport:
        """Move what is old and nobody refers to into the archive; mark cold lessons in the maps.

        Daily logs after 30 days that were reflected on and that no log of the last week refers to,
        reflections after 30, actions that were done after 14; never what is of core priority. Links
        to them still lead there, and `restore` brings them back. What may not go is declined, with
        the reason. Raises what any write raises; the run can then be repeated.
        """
        from dataclasses import replace

        from vademecum.core.clock import human_day
        from vademecum.core.jobs import Job
        from vademecum.lifecycle.archive import plan_archive
        from vademecum.service.job_records import keys_unfinished

        today = human_day(self._workspace.clock.now(), self._workspace.zone)

        def run(key: str) -> JobReport:
            return self._run_job(
                Job.ARCHIVE,
                key,
                lambda: plan_archive(self._workspace, today, progress=progress),
                dry_run=dry_run,
                progress=progress,
                again=True,  # the plan is made from the files: the second time it is empty
            )

        stopped = keys_unfinished(self._workspace.state, Job.ARCHIVE)
        before = [run(key) for key in stopped if key != today.isoformat() and not dry_run]
        report = run(today.isoformat())
        return replace(
            report,
            steps=tuple(step for one in (*before, report) for step in one.steps),
            declined=tuple(each for one in (*before, report) for each in one.declined),
            resumed=report.resumed or bool(before),
        )

    def restore(self, target: str, *, dry_run: bool = False) -> JobReport:
        """Bring back from the archive what `target` names: a note, a folder, or `all`.

        A note is named by the path it has or had, or the end of it. Nothing is written over, and
        what was brought back is not archived again within a week. `undo` of the report's key takes
        it back. Raises NoteNotFound, AmbiguousTarget, Refused and what any write raises.
        """
        from vademecum.service.archiving import restore

        with self._turn:
            if not dry_run:
                self._changing()
            return restore(
                self._workspace, self._remembering_verb(), self._actor, target, dry_run=dry_run
            )

    def serve(
        self,
        tell: Callable[[Event], None],
        *,
        stop: threading.Event | None = None,
        once: bool = False,
    ) -> None:
        """Keep the index up to date and run each job when it is due, until `stop` is set.

        `tell` hears what was done, from two threads. Runs that were missed are made up for, those
        of the last 14 days at most, and each is made once, whoever else runs jobs. When told to
        stop, a job ends between two of its steps and is gone on with the next time; a model is not
        waited for. With `once`
        whatever is due now is run and nothing is watched. Raises Refused when another process
        serves this workspace, with `once` the first error of a job, InvalidConfiguration, and
        Sealed once this memory is no longer the caller's.
        """
        from datetime import timedelta

        from vademecum.core.jobs import Job
        from vademecum.service.serving import Ran, Run, serve

        def reflect(due: Due, progress: Callable[[str, int, int], None]) -> JobReport:
            # What was written after the last reflection of a day belongs to that day.
            late = self.reflect(due.day - timedelta(days=1), progress=progress)
            if late.steps:
                tell(Ran(self._workspace.clock.now().astimezone(self._workspace.zone), late))
            return self.reflect(due.day, progress=progress)

        runs: dict[Job, Run] = {
            Job.HEARTBEAT: lambda _, progress: self.heartbeat(progress=progress),
            Job.REFLECT: reflect,
            Job.PROMOTE: lambda _, progress: self.promote(progress=progress),
            Job.ARCHIVE: lambda _, progress: self.archive(progress=progress),
        }
        self._turn.check()
        stop = stop or threading.Event()
        with self._parts.stopping.by(stop):
            serve(
                self._workspace,
                self._parts,
                runs,
                tell,
                stop=stop,
                check=self._turn.check,
                once=once,
            )

    def schedule(
        self,
        action: ScheduleAction = "status",
        *,
        kind: str = "",
        program: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
    ) -> Schedule:
        """Have the system call `serve(once=True)` when jobs are due; or say how that stands.

        `install` writes timers of this user: of systemd, launchd or cron, as `kind` says; without
        one it is whoever runs them already, else what this system has. Another kind's timer is
        taken away then. `remove` takes away exactly what was written, of every kind without one.
        `program` starts `vade`, by absolute paths. Raises Refused, with nothing changed, where
        there is nothing to run jobs, it cannot be started or a crontab cannot be read; BadInput,
        InvalidConfiguration and what writing raises.
        """
        from vademecum.service.hosts.setting import Setting
        from vademecum.service.timers.placed import Timers
        from vademecum.workspace.config import environment

        given = environment() if variables is None else variables
        setting = Setting(program, self._workspace.root, None, given)
        with self._turn:
            timers = Timers(self._workspace, setting, kind)
            if action == "install":
                return timers.install()
            return timers.remove() if action == "remove" else timers.status()

    def _remembering_verb(self) -> Remembering:
        from vademecum.service.remembering import Remembering

        if self._remembering is None:
            self._remembering = Remembering(self._workspace, self._parts)
        return self._remembering

    def promote(
        self,
        *,
        apply: bool = False,
        only: Sequence[str] = (),
        dry_run: bool = False,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> JobReport:
        """Propose for core memory what recurs in logs and recalls; put it there with `apply`.

        Without `apply` the report shows what would be written, and the proposals wait in `review`;
        with `dry_run` not even that. `only` are ids of proposals. What is in core memory already is
        not proposed again, nor is what was dismissed. Raises what any write raises; the run can
        then be repeated.
        """
        from dataclasses import replace

        from vademecum.core.clock import human_day
        from vademecum.core.jobs import Believed, Job
        from vademecum.lifecycle.promote import plan_promotion
        from vademecum.lifecycle.proposed import Proposals
        from vademecum.service.opening import actor_of

        today = human_day(self._workspace.clock.now(), self._workspace.zone)
        person = actor_of(self._workspace, None).name

        def plan() -> Plan:
            made = plan_promotion(self._workspace, today, person=person, only=only)
            if not (apply or dry_run):
                Proposals(self._workspace.state).propose(made.waiting)
            return made.plan

        def run() -> JobReport:
            return self._run_job(
                Job.PROMOTE,
                today.isoformat(),
                plan,
                dry_run=dry_run or not apply,
                progress=progress,
                again=True,  # the plan is made from the files: the second time it is empty
            )

        report = run()
        written = any(isinstance(one.proposal, Believed) and one.change for one in report.steps)
        if not written or self._workspace.profile.core_holds_claims:
            return report
        # A note that was made just now gets its priority; before, nobody knew its path.
        further = run()
        return replace(report, steps=report.steps + further.steps)

    def _nothing(self, job: Job, key: str, plan: Plan) -> JobReport:
        """Return the report of a run that has nothing to do; it may be called for later again."""
        from vademecum.core.jobs import JobReport

        return JobReport(job, key, f"{job.value}-{key}", notes=plan.notes)

    def _run_job(
        self,
        job: Job,
        key: str,
        plan: Callable[[], Plan],
        *,
        dry_run: bool,
        progress: Callable[[str, int, int], None] | None,
        again: bool = False,
        done_in_files: Callable[[], bool] = lambda: False,
    ) -> JobReport:
        """Run a job as `service.jobs.run_job` does. `plan` holds no turn: it may ask a model."""
        from vademecum.service.jobs import run_job

        return run_job(
            self._hands(dry_run=dry_run),
            job,
            key,
            plan,
            dry_run=dry_run,
            again=again,
            progress=progress,
            done_in_files=done_in_files,
        )

    def _hands(self, *, dry_run: bool) -> Hands:
        from vademecum.service.jobs import Hands
        from vademecum.service.remembering import Remembering

        with self._turn:
            if self._remembering is None:
                self._remembering = Remembering(self._workspace, self._parts)
            if not dry_run:
                self._changing()
        return Hands(self._workspace, self._remembering, self._turn)
