"""Checks of jobs: a schedule that does not run, a run that was stopped and left."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from vademecum.core.jobs import Job
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.service.job_records import keys_unfinished
from vademecum.service.serving import marks_of
from vademecum.service.timers.receipt import receipt_of

_SILENCE = timedelta(days=1)
"""A computer may be off for a night; after it was on for a beat, jobs ran."""
_BEATS = 3


def silent_schedule(patient: Patient) -> Iterator[Finding]:
    """A schedule that was put in place, and no job that ran since."""
    workspace = patient.workspace
    receipt = receipt_of(workspace.state)
    minutes = workspace.settings.jobs.heartbeat
    if receipt is None or minutes <= 0:
        return
    beat = marks_of(workspace.state).get(Job.HEARTBEAT)
    now = workspace.clock.now()
    last = beat if isinstance(beat, datetime) and receipt.at < beat <= now else receipt.at
    if now - last > max(_SILENCE, _BEATS * timedelta(minutes=minutes)):
        yield Finding(
            "jobs-not-run",
            Severity.DEFECT,
            receipt.kind,
            f"Jobs are scheduled by {receipt.kind}, and none ran since {last:%Y-%m-%d %H:%M}.",
            "See `vade schedule status`; try `vade serve --once`; then `vade schedule install`.",
        )


def stopped_run(patient: Patient) -> Iterator[Finding]:
    """A run of a job that was stopped before its end and not gone on with."""
    for job in Job:
        for key in keys_unfinished(patient.workspace.state, job):
            yield Finding(
                "job-unfinished",
                Severity.NOTICE,
                f"{job.value} {key}",
                "A run of this job was stopped before its end; nothing of it is lost.",
                f"Go on with it: vade {job.value}{f' {key}' if job is Job.REFLECT else ''}",
            )


JOB_CHECKS = (silent_schedule, stopped_run)
