"""The verb `heartbeat`: what was heard and seen since the last beat, planned and applied."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

from vademecum.context.capture import transcripts_of
from vademecum.context.flush import unflushed
from vademecum.core.jobs import Job, JobReport, Plan
from vademecum.lifecycle.heartbeat import Beat, Heard, Seen, plan_heartbeat
from vademecum.service.job_records import keys_unfinished
from vademecum.service.jobs import Hands, Progress, run_job
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace

_FILE = "jobs/heartbeat.json"


def beat(
    hands: Hands, *, person: str, dry_run: bool = False, progress: Progress | None = None
) -> JobReport:
    """Run one heartbeat, after what was left of one that was stopped. See `run_job`."""
    workspace = hands.workspace
    for key in () if dry_run else keys_unfinished(workspace.state, Job.HEARTBEAT):
        run_job(hands, Job.HEARTBEAT, key, Plan, progress=progress)
    made: list[Beat] = []

    def plan() -> Plan:
        made.append(plan_heartbeat(workspace, seen_by(workspace), _heard(hands), person=person))
        return made[0].plan

    key = workspace.clock.now().astimezone(UTC).strftime("%Y-%m-%dT%H%M%SZ")
    report = run_job(hands, Job.HEARTBEAT, key, plan, dry_run=dry_run, progress=progress)
    if made and not dry_run:
        _keep(workspace, made[0].seen)
    return report


def seen_by(workspace: Workspace) -> Seen:
    """Return what the last beat had seen; nothing where that was lost, which costs a second look.

    A ledger that is shorter than it was is another one, and is read from its beginning.
    """
    try:
        row = json.loads((workspace.state / _FILE).read_bytes())
        files = tuple((str(path), str(digest)) for path, digest in row["files"])
        seen = Seen(str(row["at"]), int(row["ledger"]), files, tuple(map(str, row["told"])))
    except (OSError, ValueError, LookupError, TypeError):
        return Seen()
    return seen if seen.ledger <= _size(workspace.ledger.path) else Seen(told=seen.told)


def _keep(workspace: Workspace, seen: Seen) -> None:
    file = workspace.state / _FILE
    row = {"at": seen.at, "ledger": seen.ledger, "files": seen.files, "told": seen.told}
    with state_translated(file):
        make_folders(file.parent)
        write_whole(file, json.dumps(row).encode(), durable=False)


def _heard(hands: Hands) -> tuple[Heard, ...]:
    return tuple(_each(hands.workspace))


def _each(workspace: Workspace) -> Iterator[Heard]:
    """Yield what every session on file said that lasts, the oldest first."""
    for one in reversed(transcripts_of(workspace).sessions()):
        found = unflushed(workspace, one.session)
        if found is not None:
            yield Heard(found.session, found.title, found.origin, found.said, found.days)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
