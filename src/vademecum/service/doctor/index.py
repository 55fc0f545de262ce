"""Checks of the index: is it sound, does it hold every note, has every passage its vector."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.errors import IndexUnusable
from vademecum.core.ports import IndexState
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.service.standing import behind

_REBUILD = "`vade sync` builds it anew from the files; nothing is lost."


def sound(patient: Patient) -> Iterator[Finding]:
    """Damage, and rules of cutting text that have changed since."""
    where = str(patient.workspace.state)
    condition = patient.parts.index.condition()
    if condition.state is IndexState.DAMAGED:
        yield Finding("index-damaged", Severity.DEFECT, where, condition.reason, _REBUILD)
        return
    if condition.state is IndexState.OUTDATED:
        yield Finding("index-outdated", Severity.NOTICE, where, condition.reason, _REBUILD)
    if condition.state is IndexState.ABSENT:
        return
    for sentence in patient.parts.index.verify():
        yield Finding("index-damaged", Severity.DEFECT, where, sentence, _REBUILD)


def complete(patient: Patient) -> Iterator[Finding]:
    """Notes that the index does not have as they are on disk."""
    try:
        known = patient.parts.index.stamps()
    except IndexUnusable:
        return  # `sound` says so
    late = sum(behind(patient.scan, known))
    if late:
        yield Finding(
            "index-behind",
            Severity.NOTICE,
            f"{len(patient.scan.files):,} notes",
            f"{late:,} notes are new, changed or gone since the index last read them.",
            "Nothing has to be done: searching reads them first. `vade sync` does it now.",
        )


def embedded(patient: Patient) -> Iterator[Finding]:
    """Passages that can be found by words only."""
    if patient.parts.embedder is None:
        return
    try:
        counts = patient.parts.index.counts()
    except IndexUnusable:
        return
    missing = counts.chunks - counts.embedded
    if missing > 0:
        yield Finding(
            "vectors-missing",
            Severity.NOTICE,
            f"{counts.chunks:,} chunks",
            f"{missing:,} of them have no vector yet and are found by words only.",
            "Run `vade sync`; it goes on where it stopped.",
        )


INDEX_CHECKS = (sound, complete, embedded)
"""Every check of the index."""
