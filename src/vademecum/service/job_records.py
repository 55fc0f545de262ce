"""What is on file of a job's run: its plan, how far it was applied, and that it was done."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Declined, Job, Plan, Proposal, Step
from vademecum.core.notes import Span
from vademecum.core.patterns import later
from vademecum.core.search import Degradation
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.tail import APPENDING, add, repaired
from vademecum.workspace.whole import make_folders, sync_folder, write_whole

_FOLDER = "jobs"
_PLAN = ".plan"
_DONE = ".done"
_MOST_MOMENTS = 50
"""Records of beats that are kept; of jobs that run for a day, every one is."""
_KEY = later(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,60}\Z")
_VALUES: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (*get_args(Proposal), Plan, Step, Declined, Degradation, Span)
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run as it is on file: when its plan was made, and what was applied of it so far."""

    at: datetime
    plan: Plan
    steps: tuple[Step, ...] = ()


class JobRecord:
    """The record of one job and key in the state directory.

    A file ending in `.plan`, one line of JSON for the plan and one for each step, that is renamed
    to `.done` when all of it was applied. Whoever writes it holds the lock of the job. Writes raise
    StateUnwritable, DiskFull.
    """

    def __init__(self, state: Path, job: Job, key: str) -> None:
        if not _KEY.match(key):
            raise BadInput(
                f"{key!r} is no key of a job.",
                hint="A key is a date or a moment, as in 2026-11-30.",
            )
        self._folder = state / _FOLDER
        self._job = job
        self._plan = self._folder / f"{job.value}-{key}{_PLAN}"
        self._done = self._folder / f"{job.value}-{key}{_DONE}"

    def is_done(self) -> bool:
        """Whether a run for this key was applied to its end."""
        return self._done.is_file()

    def unfinished(self) -> Recorded | None:
        """Return the run that was stopped before its end; None where there is none to go on from.

        A plan that cannot be read is none: it is made anew.
        """
        return _read(self._plan)

    def finished(self) -> Recorded | None:
        """Return the run that was done."""
        return _read(self._done)

    def begin(self, plan: Plan, at: datetime) -> None:
        """Put the plan on file, durably: from now on it is what the run does."""
        row = {"at": at.isoformat(), "plan": _row_of(plan)}
        with state_translated(self._plan):
            make_folders(self._folder)
            write_whole(self._plan, _line(row), durable=True)

    def applied(self, step: Step) -> None:
        """Add what came of the next proposal."""
        with state_translated(self._plan):
            descriptor = os.open(self._plan, APPENDING | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                add(descriptor, repaired(descriptor, _line(_row_of(step))))
            finally:
                os.close(descriptor)

    def finish(self) -> None:
        """Mark the run as done, durably."""
        with state_translated(self._plan):
            self._plan.replace(self._done)
            sync_folder(self._folder)
            if self._job is Job.HEARTBEAT:
                for key in keys_done(self._folder.parent, self._job)[:-_MOST_MOMENTS]:
                    (self._folder / f"{self._job.value}-{key}{_DONE}").unlink(missing_ok=True)


def keys_done(state: Path, job: Job) -> tuple[str, ...]:
    """Return the keys for which the job was done on this machine, in order."""
    return _keys(state, job, _DONE)


def keys_unfinished(state: Path, job: Job) -> tuple[str, ...]:
    """Return the keys for which a run of the job was stopped before its end, in order."""
    return _keys(state, job, _PLAN)


def _keys(state: Path, job: Job, ending: str) -> tuple[str, ...]:
    try:
        names = [file.name for file in (state / _FOLDER).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    start = f"{job.value}-"
    return tuple(
        sorted(
            name[len(start) : -len(ending)]
            for name in names
            if name.startswith(start) and name.endswith(ending)
        )
    )


def _read(file: Path) -> Recorded | None:
    try:
        rows = list(_rows(file.read_bytes()))
        head = rows[0]
        plan = _value_of(head["plan"])
        steps = tuple(_value_of(row) for row in rows[1:])
        if not isinstance(plan, Plan) or len(steps) > len(plan.proposals):
            return None
        return Recorded(datetime.fromisoformat(head["at"]), plan, _in_order(plan, steps))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the lines that can be read; a step that was torn by a kill is applied once more."""
    for number, line in enumerate(data.splitlines()):
        try:
            yield json.loads(line)
        except ValueError:
            if number == 0:
                raise


def _in_order(plan: Plan, steps: Sequence[object]) -> tuple[Step, ...]:
    """Return the steps as far as they are those of the plan."""
    kept: list[Step] = []
    for step, proposal in zip(steps, plan.proposals, strict=False):
        if not isinstance(step, Step) or step.proposal != proposal:
            break
        kept.append(step)
    return tuple(kept)


def _line(row: Any) -> bytes:
    # JSON that is ASCII alone survives half surrogates and keeps every record on one line.
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _row_of(value: Any) -> Any:
    if is_dataclass(value):
        return {
            "is": type(value).__name__,
            **{field.name: _row_of(getattr(value, field.name)) for field in fields(value)},
        }
    return [_row_of(item) for item in value] if isinstance(value, tuple) else value


def _value_of(row: Any) -> Any:
    """Return the value of a row; fields of later versions are passed over. Raises LookupError."""
    if isinstance(row, list):
        return tuple(_value_of(item) for item in row)
    if not isinstance(row, dict):
        return row
    kind = _VALUES[row["is"]]
    known = {field.name for field in fields(kind)}
    return kind(**{name: _value_of(item) for name, item in row.items() if name in known})
