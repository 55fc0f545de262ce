"""That a schedule was put in place, and when: what tells a silence from a schedule nobody wants."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Receipt:
    """Who was asked to run jobs, and when."""

    kind: str
    at: datetime


def receipt_file(state: Path) -> Path:
    """Return where the receipt is kept."""
    return state / "jobs" / "schedule.json"


def keep_receipt(workspace: Workspace, kind: str) -> None:
    """Keep that `kind` runs the jobs from now on; the first moment of several stays."""
    known = receipt_of(workspace.state)
    if known is not None and known.kind == kind:
        return
    file = receipt_file(workspace.state)
    row = {"kind": kind, "at": workspace.clock.now().isoformat(timespec="seconds")}
    with state_translated(file):
        make_folders(file.parent)
        write_whole(file, json.dumps(row).encode(), durable=True)


def receipt_of(state: Path) -> Receipt | None:
    """Return the receipt, None where no schedule was put in place."""
    try:
        row = json.loads(receipt_file(state).read_bytes())
        return Receipt(str(row["kind"]), datetime.fromisoformat(row["at"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None
