"""All checks, run over one workspace: the verb `doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from vademecum.core.errors import VademecumError
from vademecum.core.provenance import Actor
from vademecum.service.doctor.breaches import PAST_CHECKS
from vademecum.service.doctor.claims import CLAIM_CHECKS
from vademecum.service.doctor.files import FILE_CHECKS
from vademecum.service.doctor.finding import Diagnosis, Finding, Severity
from vademecum.service.doctor.hosts import HOST_CHECKS
from vademecum.service.doctor.index import INDEX_CHECKS
from vademecum.service.doctor.jobs import JOB_CHECKS
from vademecum.service.doctor.links import LINK_CHECKS
from vademecum.service.doctor.mending import mend
from vademecum.service.doctor.notes import NOTE_CHECKS, Examined
from vademecum.service.doctor.past import Past
from vademecum.service.doctor.patient import Patient, Unread
from vademecum.service.doctor.sharing import SHARING_CHECKS
from vademecum.service.doctor.surroundings import SURROUNDINGS_CHECKS
from vademecum.service.doctor.survey import Survey
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]
T = TypeVar("T")


def examine(workspace: Workspace, parts: Parts, *, progress: Progress | None = None) -> Diagnosis:
    """Run every check; a check that fails itself becomes a finding. Nothing is changed."""
    patient = Patient(workspace, parts, workspace.scan())
    read: list[Examined] = []
    findings = list(_notes(patient, read, progress))
    survey = Survey(patient, read)
    findings += _run((*CLAIM_CHECKS, *LINK_CHECKS), survey)
    findings += _run(PAST_CHECKS, Past(survey))
    around = (*SURROUNDINGS_CHECKS, *SHARING_CHECKS, *JOB_CHECKS, *HOST_CHECKS)
    whole = (*FILE_CHECKS, *INDEX_CHECKS, *around)
    findings += _run(whole, patient)
    across = len(CLAIM_CHECKS) + len(LINK_CHECKS) + len(PAST_CHECKS)
    return Diagnosis(tuple(findings), len(NOTE_CHECKS) + across + len(whole))


def examine_and_mend(
    workspace: Workspace,
    parts: Parts,
    actor: Actor,
    *,
    dry_run: bool,
    progress: Progress | None = None,
) -> Diagnosis:
    """Run every check and mend what needs no judgement; the findings are what is left then."""
    found = examine(workspace, parts, progress=progress)
    done = mend(workspace, found.findings, actor, dry_run=dry_run)
    left = examine(workspace, parts, progress=progress) if done and not dry_run else found
    return Diagnosis(left.findings, left.checks, done, planned=dry_run)


def _run(checks: Iterable[Callable[[T], Iterator[Finding]]], subject: T) -> Iterator[Finding]:
    for check in checks:
        try:
            yield from check(subject)
        except VademecumError as error:
            yield _failed(getattr(check, "__name__", "check").replace("_", " "), error)


def _notes(patient: Patient, read: list[Examined], progress: Progress | None) -> Iterator[Finding]:
    total = len(patient.scan.files)
    for number, note in enumerate(patient.notes(), 1):
        if progress is not None:
            progress("checking notes", number, total)
        if isinstance(note, Unread):
            yield _failed(note.path, note.error)
            continue
        read.append(note)
        for check in NOTE_CHECKS:
            yield from check(note)


def _failed(where: str, error: VademecumError) -> Finding:
    return Finding(error.code, Severity.DEFECT, where, str(error), error.hint)
