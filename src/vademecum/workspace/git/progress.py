"""How far the ledger was carried into Git: a small file in the state directory."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from vademecum.core.changes import Change, Effect
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.ledger import decode
from vademecum.workspace.whole import make_folders, write_whole


@dataclass(slots=True)
class Progress:
    """Made by `vade git setup`; without it nothing is committed."""

    offset: int = 0
    """Bytes of the ledger that are in Git."""
    next_offset: int = 0
    next_head: str = ""
    """Where it will be once HEAD has this commit: written before HEAD is moved."""
    behind: dict[str, str] = field(default_factory=dict)
    """Paths whose entry in the user's index may still be one from before, with those entries."""
    taken: dict[str, str] = field(default_factory=dict)
    """Paths that a sync wrote, with the change by which it did: HEAD has what came before it."""
    next_taken: dict[str, str] = field(default_factory=dict)
    """The same, once HEAD has `next_head`."""
    bringing_from: str = ""
    bringing_to: str = ""
    """The commit whose files a sync brings in, with the one it began at: empty when it is done."""


def is_started(state: Path) -> bool:
    """Whether what is written is to be committed."""
    return _file(state).is_file()


def read(state: Path, ledger: Path) -> Progress:
    """Return how far it was; a damaged file says: everything up to now was carried."""
    try:
        fields = json.loads(_file(state).read_text("utf-8"))
        return Progress(
            int(fields["offset"]),
            int(fields.get("next_offset", 0)),
            str(fields.get("next_head", "")),
            dict(fields.get("behind", {})),
            dict(fields.get("taken", {})),
            dict(fields.get("next_taken", {})),
            str(fields.get("bringing_from", "")),
            str(fields.get("bringing_to", "")),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Progress(_end_of(ledger))


def write(state: Path, progress: Progress) -> None:
    """Keep `progress` durably. Raises StateUnwritable, DiskFull."""
    file = _file(state)
    with state_translated(file):
        make_folders(file.parent)
        write_whole(file, json.dumps(asdict(progress)).encode(), durable=True)


def start(state: Path, ledger: Path) -> bool:
    """Commit what is written from now on; return whether that is new."""
    if is_started(state):
        return False
    write(state, Progress(_end_of(ledger)))
    return True


def stop(state: Path) -> bool:
    """Commit nothing any more; return whether it was done until now."""
    file = _file(state)
    with state_translated(file):
        was = file.is_file()
        file.unlink(missing_ok=True)
        (file.parent / "index").unlink(missing_ok=True)
    return was


def backlog_of(ledger: Path, offset: int) -> list[tuple[Change, int]]:
    """Return the changes of files behind `offset` of the ledger, each with where its line ends."""
    try:
        with ledger.open("rb") as file:
            file.seek(offset)
            data = file.read()
    except OSError:
        return []
    found = []
    for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
        offset += len(line)
        change = decode(line)
        if change is not None and change.effect is not Effect.ASK:
            found.append((change, offset))
    return found


def _end_of(ledger: Path) -> int:
    try:
        return ledger.stat().st_size
    except OSError:
        return 0


def _file(state: Path) -> Path:
    return state / "git" / "progress.json"
