"""Migrations of one workspace, kept in its state: plan, staged originals, phase, report."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from vademecum.core.changes import Effect
from vademecum.core.errors import NotFound
from vademecum.core.migration import (
    Account,
    Decision,
    Discovered,
    Fate,
    FilePlan,
    MigrationPlan,
    NewNote,
    Origin,
    Passed,
    Phase,
    Treatment,
)
from vademecum.core.notes import Span
from vademecum.core.search import Degradation
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.locks import locked
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace
from vademecum.writing.undo import standing_of

_OPEN = (Phase.PLANNED, Phase.STAGED, Phase.APPLIED)
_TAKEN = (Phase.DONE, Phase.FINISHED)


class Case:
    """One migration on the shelf; what is written here is durable when the call returns."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.id = directory.name
        self.report = directory / "report.md"
        self.accounts_file = directory / "accounts.jsonl"

    @property
    def phase(self) -> Phase:
        """How far it is."""
        try:
            return Phase((self.directory / "phase").read_text("utf-8").strip())
        except (OSError, ValueError):
            return Phase.PLANNED

    def reach(self, phase: Phase) -> None:
        """Write down how far it is. Raises StateUnwritable, DiskFull."""
        self._write("phase", f"{phase.value}\n")

    def keep(self, plan: MigrationPlan) -> None:
        """Write the plan down. Raises StateUnwritable, DiskFull."""
        rows = [_plain(plan, without=("files",)), *(_plain(file) for file in plan.files)]
        self._write("plan.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    def plan(self) -> MigrationPlan:
        """Return the plan. Raises NotFound where none was written down whole."""
        try:
            with (self.directory / "plan.jsonl").open(encoding="utf-8") as rows:
                head = json.loads(next(rows))
                return _plan(head, tuple(_file(json.loads(row)) for row in rows))
        except (OSError, ValueError, KeyError, StopIteration) as error:
            raise NotFound(f"The migration {self.id} has no plan that can be read.") from error

    def keep_places(self, folders: tuple[str, ...], modes: Mapping[str, int]) -> None:
        """Write down which folders the workspace has, and the modes of originals within it."""
        self._write("places.json", json.dumps({"folders": folders, "modes": modes}))

    def places(self) -> tuple[frozenset[str], Mapping[str, int]]:
        """Return what `keep_places` wrote."""
        try:
            held = json.loads((self.directory / "places.json").read_text("utf-8"))
            return frozenset(held["folders"]), held["modes"]
        except (OSError, ValueError, KeyError):
            return frozenset(), {}

    def keep_left(self, left: tuple[Passed, ...]) -> None:
        """Write down what was left by rolling back or finishing."""
        self._write("left.json", json.dumps([_plain(one) for one in left]))

    def left(self) -> tuple[Passed, ...]:
        """Return what `keep_left` wrote."""
        try:
            rows = json.loads((self.directory / "left.json").read_text("utf-8"))
            return tuple(Passed(**row) for row in rows)
        except (OSError, ValueError):
            return ()

    def staged(self, number: int) -> Path:
        """Return where the original with that number in the plan is staged."""
        return self.directory / "staged" / f"{number:06d}"

    def drop_staged(self) -> None:
        """Delete the staged originals."""
        with state_translated(self.directory):
            shutil.rmtree(self.directory / "staged", ignore_errors=True)

    def accounts(self) -> Iterator[Account]:
        """Yield what became of every line, in the order of the plan."""
        if self.accounts_file.is_file():
            yield from accounts_in(self.accounts_file)

    def _write(self, name: str, text: str) -> None:
        path = self.directory / name
        with state_translated(path):
            make_folders(self.directory)
            write_whole(path, text.encode(), durable=True)


class Shelf:
    """All migrations of a workspace, the oldest first."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._directory = workspace.state / "migrations"
        self._lock = workspace.state / "locks" / "migrations.lock"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other migrations of the workspace away for the block. Raises LockTimeout."""
        with locked(self._lock, 5.0):
            yield

    def new(self, id: str) -> Case:
        """Return the place of a migration that begins."""
        return Case(self._directory / id)

    def cases(self) -> tuple[Case, ...]:
        """Return all of them that have a plan."""
        try:
            names = sorted(os.listdir(self._directory))  # noqa: PTH208  names are enough
        except (FileNotFoundError, NotADirectoryError):
            return ()
        cases = [Case(self._directory / name) for name in names]
        return tuple(case for case in cases if (case.directory / "plan.jsonl").is_file())

    def case(self, id: str, *phases: Phase) -> Case:
        """Return the one named, or the newest in one of `phases`. Raises NotFound."""
        for case in reversed(self.cases()):
            if case.id == id or (not id and case.phase in phases):
                return case
        what = f"migration {id}" if id else "migration that this could be done with"
        raise NotFound(f"There is no {what}.", hint="See which there are: vade migrate --status.")

    def begun(self, source: str) -> Case | None:
        """Return the migration of `source` that was begun and not done."""
        for case in self.cases():
            if case.phase in _OPEN and case.plan().source == source:
                return case
        return None

    def done(self, source: str) -> Case | None:
        """Return a migration of `source` that is done and stands."""
        for case in self.cases():
            if case.phase in _TAKEN and case.plan().source == source and self._stands(case.id):
                return case
        return None

    def moved_in(self) -> dict[str, str]:
        """Return the digests of all originals that are moved in, each with where it went.

        What was taken back since, by whatever way, is not moved in.
        """
        return {
            file.digest: file.to or case.id
            for case in self.cases()
            if case.phase in _TAKEN and self._stands(case.id)
            for file in case.plan().files
            if file.treatment is not Treatment.TWIN
        }

    def went_to(self) -> dict[str, str]:
        """Return where originals went that were moved in as a whole, by their absolute path."""
        return {
            str(root_of(plan) / file.path): file.to
            for case in self.cases()
            if case.phase in _TAKEN and self._stands(case.id)
            for plan in (case.plan(),)
            for file in plan.files
            if file.treatment in (Treatment.WHOLE, Treatment.LOG, Treatment.GROWN)
        }

    def _stands(self, id: str) -> bool:
        """Whether nothing that a migration wrote was taken back, and the workspace still has it.

        It has none of the files that were made where it was put back from Git or a backup.
        """
        written = list(self._workspace.ledger.changes(session=id))
        if len(standing_of(self._workspace, written)) != len(written):
            return False
        made = [change.path for change in written if change.effect is Effect.CREATE]
        return not made or any(map(self._is_known, made))

    def _is_known(self, path: str) -> bool:
        """Whether a file is there, or is known to have been removed."""
        if self._workspace.stamp_of(path) is not None:
            return True
        last = self._workspace.ledger.last(path)
        return last is not None and last.effect is Effect.REMOVE


def root_of(plan: MigrationPlan) -> Path:
    """Return the directory that the paths of a plan are relative to."""
    source = Path(plan.source)
    one = len(plan.files) == 1 and plan.files[0].path == source.name
    return source.parent if one and not source.is_dir() else source


def accounts_in(path: Path) -> Iterator[Account]:
    """Yield the accounts of a file of them."""
    with path.open(encoding="utf-8") as rows:
        for row in rows:
            yield account_of(json.loads(row))


def account_row(account: Account) -> str:
    """Return the line of an account; empty fields are left out."""
    return json.dumps(_plain(account)) + "\n"


def account_of(row: dict[str, Any]) -> Account:
    """Return the account of a line that was read."""
    to = Span(**row["to"]) if row.get("to") else None
    return Account(
        Span(**row["source"]), Fate(row["fate"]), to, row.get("why", ""), row.get("part", "")
    )


def _plain(value: Any, without: tuple[str, ...] = ()) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        rows = {one.name: getattr(value, one.name) for one in fields(value)}
        return {
            name: _plain(item)
            for name, item in rows.items()
            if name not in without and item not in ("", None, ())
        }
    return value


def _plan(row: dict[str, Any], files: tuple[FilePlan, ...]) -> MigrationPlan:
    row["at"] = datetime.fromisoformat(row["at"])
    row["found"] = tuple(
        Discovered(Origin(one["origin"]), one.get("path", ""), one["files"])
        for one in row.get("found", ())
    )
    for name in ("passed", "quarantined"):
        row[name] = tuple(Passed(**one) for one in row.get(name, ()))
    row["degraded"] = tuple(Degradation(**one) for one in row.get("degraded", ()))
    row["instructions"] = tuple(row.get("instructions", ()))
    return MigrationPlan(**row, files=files)


def _file(row: dict[str, Any]) -> FilePlan:
    row["origin"] = Origin(row["origin"])
    row["treatment"] = Treatment(row["treatment"])
    row["decisions"] = tuple(
        Decision(**{**one, "fate": Fate(one["fate"])}) for one in row.get("decisions", ())
    )
    row["notes"] = tuple(NewNote(**one) for one in row.get("notes", ()))
    return FilePlan(**row)
