"""The verb `serve`: watcher and jobs in one process, each job when it is due, until it is told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TypeAlias

from vademecum.core.errors import LockTimeout, Refused, Sealed, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Job, JobReport
from vademecum.core.search import Degradation
from vademecum.indexing.sync import SyncReport
from vademecum.lifecycle.schedule import Due, Owed, Skipped, Timing, due
from vademecum.service.stopping import StopAsked
from vademecum.service.watching import keep_watch
from vademecum.service.wiring import Parts
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import locked
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace

_MARKS = "jobs/scheduled.json"
_LOCK = "scheduler.lock"
_LONGEST_WAIT = 30.0
"""Seconds after which the clock is looked at again: it may have been put, or have slept."""
_AFTER_FAILURE = 600.0
"""Seconds until a job that failed is tried again."""
_LATEST_ALONE = frozenset({Job.PROMOTE, Job.ARCHIVE})
"""Jobs that look at all there is: making up for one missed run makes up for all."""

Progress: TypeAlias = Callable[[str, int, int], None]
Run: TypeAlias = Callable[[Due, Progress], JobReport]


@dataclass(frozen=True, slots=True)
class Ran:
    """A job was run."""

    at: datetime
    report: JobReport


@dataclass(frozen=True, slots=True)
class Failed:
    """A job could not be run to its end; it goes on from there later."""

    at: datetime
    job: Job
    key: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Runs that were missed too long ago to be made up for."""

    at: datetime
    runs: Skipped


@dataclass(frozen=True, slots=True)
class Synced:
    """The index was brought up to date after a change on disk."""

    at: datetime
    report: SyncReport


@dataclass(frozen=True, slots=True)
class Noted:
    """Something else that whoever reads the log should know."""

    at: datetime
    text: str


Event: TypeAlias = Ran | Failed | LeftOut | Synced | Noted


class Scheduler:
    """Runs what is due on one workspace; whoever uses it holds `scheduling`."""

    def __init__(
        self,
        workspace: Workspace,
        runs: Mapping[Job, Run],
        tell: Callable[[Event], None],
        stop: threading.Event,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._workspace = workspace
        self._runs = runs
        self._tell = tell
        self._stop = stop
        self._check = check
        self._not_before: dict[Job, float] = {}
        self._errors: list[VademecumError] = []

    def run_due(self) -> None:
        """Run once whatever is due. Raises the first error after all else was run."""
        self._turn()
        if self._errors:
            raise self._errors[0]

    def keep_on(self) -> None:
        """Run each job when it is due, until it is told to stop; what fails is tried again."""
        while not self._stop.is_set():
            owed = self._turn()
            self._stop.wait(self._pause(owed))

    def _turn(self) -> Owed:
        self._check()
        owed = due(
            self._workspace.clock.now(),
            marks_of(self._workspace.state),
            timing_of(self._workspace),
            self._workspace.zone,
        )
        for lost in owed.skipped:
            self._tell(LeftOut(self._now(), lost))
        for one in _worth_running(owed):
            waits = time.monotonic() < self._not_before.get(one.job, 0.0)
            if one.job in self._runs and not waits and not self._stop.is_set():
                self._run(one)
        return owed

    def _run(self, one: Due) -> None:
        began = self._workspace.clock.now()
        try:
            report = self._runs[one.job](one, self._step)
        except StopAsked:
            self._tell(
                Noted(self._now(), f"{one.job.value} {one.key}: stopped, to be gone on with")
            )
            return
        except VademecumError as error:
            self._errors.append(error)
            self._not_before[one.job] = time.monotonic() + _AFTER_FAILURE
            self._tell(Failed(self._now(), one.job, one.key, str(error), error.hint))
            return
        if report.elsewhere:
            self._not_before[one.job] = time.monotonic() + _LONGEST_WAIT
        else:
            self._mark(one, began)
        self._tell(Ran(self._now(), report))

    def _mark(self, one: Due, began: datetime) -> None:
        """Keep that it was done. A beat counts from its minute on: timers are late by seconds."""
        marks = dict(marks_of(self._workspace.state))
        marks[one.job] = (
            began.replace(second=0, microsecond=0) if one.job is Job.HEARTBEAT else one.day
        )
        file = self._workspace.state / _MARKS
        rows = {job.value: mark.isoformat() for job, mark in marks.items()}
        with state_translated(file):
            make_folders(file.parent)
            write_whole(file, json.dumps(rows).encode(), durable=True)

    def _step(self, doing: str, done: int, total: int) -> None:
        del doing, done, total
        if self._stop.is_set():
            raise StopAsked

    def _pause(self, owed: Owed) -> float:
        if owed.next is None:
            return _LONGEST_WAIT
        left = owed.next.timestamp() - self._workspace.clock.now().timestamp()
        return min(max(left, 0.5), _LONGEST_WAIT)

    def _now(self) -> datetime:
        return self._workspace.clock.now().astimezone(self._workspace.zone)


def serve(
    workspace: Workspace,
    parts: Parts,
    runs: Mapping[Job, Run],
    tell: Callable[[Event], None],
    *,
    stop: threading.Event,
    check: Callable[[], None],
    once: bool = False,
) -> None:
    """Run jobs when they are due, and keep the index up to date meanwhile, until `stop` is set.

    With `once` whatever is due is run, and nothing is watched. `check` is asked before anything is
    read; what it raises ends all of it. Raises Refused when another process
    serves this workspace; with `once` that is told, and whatever is due is left to it.
    """
    scheduler = Scheduler(workspace, runs, tell, stop, check)
    with scheduling(workspace.state) as won:
        if not won and once:
            now = workspace.clock.now().astimezone(workspace.zone)
            tell(Noted(now, "another process runs the jobs of this workspace"))
        elif not won:
            raise Refused(
                f"Another process serves {workspace.root} already.",
                hint="One is enough; `vade schedule status` shows what runs when.",
            )
        elif once:
            scheduler.run_due()
        else:
            with _watched(workspace, parts, tell, stop, check):
                scheduler.keep_on()
            check()  # the watch may have ended because of it


@contextmanager
def scheduling(state: Path) -> Iterator[bool]:
    """Hold the office of running what is due; the value tells whether it was won."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(state / "locks" / _LOCK, timeout=0.0))
        except LockTimeout:
            won = False
        else:
            won = True
        yield won


def marks_of(state: Path) -> Mapping[Job, datetime | date]:
    """Return for which day or instant each job was last run by a schedule."""
    try:
        rows = json.loads((state / _MARKS).read_bytes())
        return {
            Job(job): datetime.fromisoformat(mark) if "T" in mark else date.fromisoformat(mark)
            for job, mark in rows.items()
        }
    except (OSError, ValueError, AttributeError, TypeError):
        return {}  # the files know what was done, so a job that runs again does nothing


def timing_of(workspace: Workspace) -> Timing:
    """Return when the jobs of a workspace run."""
    chosen = workspace.settings.jobs
    return Timing(chosen.heartbeat, chosen.reflect, chosen.promote, chosen.archive)


def _worth_running(owed: Owed) -> Iterator[Due]:
    last = {one.job: one for one in owed.due}
    for one in owed.due:
        if one.job not in _LATEST_ALONE or one is last[one.job]:
            yield one


@contextmanager
def _watched(
    workspace: Workspace,
    parts: Parts,
    tell: Callable[[Event], None],
    stop: threading.Event,
    check: Callable[[], None],
) -> Iterator[None]:
    """Keep the index up to date in a thread of its own."""
    _ = parts.index  # made here: two threads that want it first would make two

    def now() -> datetime:
        return workspace.clock.now().astimezone(workspace.zone)

    def synced(report: SyncReport) -> None:
        tell(Synced(now(), report))

    def degraded(part: Degradation) -> None:
        tell(Noted(now(), f"{part.part}: {part.reason}"))

    def work() -> None:
        try:
            keep_watch(workspace, parts, synced, stop=stop, on_degraded=degraded, check=check)
        except Sealed:
            stop.set()
        except VademecumError as error:
            tell(Noted(now(), f"nothing is watched here: {error}"))

    thread = threading.Thread(target=work, name="vade-watching", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=_LONGEST_WAIT)
