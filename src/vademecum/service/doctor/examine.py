"""All checks, run over one workspace: the verb `doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vademecum.core.errors import VademecumError
from vademecum.service.doctor.files import FILE_CHECKS
from vademecum.service.doctor.finding import Diagnosis, Finding, Severity
from vademecum.service.doctor.index import INDEX_CHECKS
from vademecum.service.doctor.notes import NOTE_CHECKS
from vademecum.service.doctor.patient import Patient
from vademecum.service.doctor.surroundings import SURROUNDINGS_CHECKS
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]


def examine(workspace: Workspace, parts: Parts, *, progress: Progress | None = None) -> Diagnosis:
    """Run every check; a check that fails itself becomes a finding. Nothing is changed."""
    patient = Patient(workspace, parts, workspace.scan())
    findings = list(_notes(patient, progress))
    whole = (*FILE_CHECKS, *INDEX_CHECKS, *SURROUNDINGS_CHECKS)
    for check in whole:
        try:
            findings += check(patient)
        except VademecumError as error:
            findings.append(_failed(check.__name__.replace("_", " "), error))
    return Diagnosis(tuple(findings), len(NOTE_CHECKS) + len(whole))


def _notes(patient: Patient, progress: Progress | None) -> Iterator[Finding]:
    total = len(patient.scan.files)
    for number, note in enumerate(patient.notes(), 1):
        if progress is not None:
            progress("checking notes", number, total)
        if isinstance(note, VademecumError):
            yield _failed("a note", note)
            continue
        for check in NOTE_CHECKS:
            yield from check(note)


def _failed(where: str, error: VademecumError) -> Finding:
    return Finding(error.code, Severity.DEFECT, where, str(error), error.hint)
