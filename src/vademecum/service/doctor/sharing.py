"""Checks of who may read this memory: grants that cannot be understood, or that reach nothing."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.agents.grants import Grant, grants_file, grants_of
from vademecum.agents.registry import Registry, load_registry
from vademecum.core.errors import InvalidConfiguration
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.workspace.scan import is_within


def grants_given(patient: Patient) -> Iterator[Finding]:
    """Grants of this memory that are not understood, so that none holds, or lead to nothing."""
    registry = load_registry()
    for owner in registry.at(patient.workspace.root):
        file = str(grants_file(owner.name))
        try:
            given = grants_of(owner.name)
        except InvalidConfiguration as error:
            yield Finding("grants-unclear", Severity.DEFECT, file, str(error), error.hint)
            continue
        for one in given:
            if why := _why_idle(patient, registry, one):
                told = f"The grant to {one.reader} opens nothing: {why}."
                remedy = f"vade revoke {one.reader} {owner.name}"
                yield Finding("grant-idle", Severity.NOTICE, file, told, remedy)


def _why_idle(patient: Patient, registry: Registry, one: Grant) -> str:
    if registry.named(one.reader) is None:
        return "no agent of that name is registered"
    empty = [
        folder
        for folder in one.folders
        if not any(is_within(path, (folder,)) for path in patient.scan.files)
    ]
    return f"there is no note in {', '.join(empty)}" if empty else ""


SHARING_CHECKS = (grants_given,)
