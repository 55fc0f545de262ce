"""`export`: write a workspace for others to read, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from vademecum.core.export import Exported, ExportForm
from vademecum.migration.export.as_json import head_of, write_json
from vademecum.migration.export.going_out import Progress, Told, renamed
from vademecum.migration.export.obsidian import write_vault
from vademecum.migration.export.okf import write_okf
from vademecum.migration.export.placing import new_file, new_folder, place_of
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace

_WRITERS = {ExportForm.OKF: write_okf, ExportForm.OBSIDIAN: write_vault}
_LINES = ".jsonl"
_PATIENCE = 5.0


def export(
    workspace: Workspace, to: str | Path, form: ExportForm, *, progress: Progress
) -> Exported:
    """Write the workspace to the folder `to`, as JSON to the file; nothing in it is changed.

    An earlier export of the same workspace is replaced, at once and only unchanged. Raises
    Refused, NotFound, LockTimeout and StorageFailed.
    """
    place = place_of(workspace, to)
    told = Told()
    names: dict[str, str] = {}
    files = 0
    with locked(workspace.state / "locks" / "export.lock", _PATIENCE):
        if form is ExportForm.JSON:
            with new_file(place, head_of(workspace)) as out:
                write_json(workspace, out, told, progress, lines=place.suffix == _LINES)
        else:
            with new_folder(workspace, place, form.value) as folder:
                names = _WRITERS[form](workspace, folder, told, progress)
            files = folder.files
    return Exported(
        form=form,
        to=str(place),
        notes=len(names) or told.notes,
        claims=told.claims,
        indexes=max(0, files - len(names)),
        renamed=renamed(names),
        redacted=tuple(told.redacted),
        repaired=tuple(told.repaired),
        passed=tuple(told.passed),
    )
