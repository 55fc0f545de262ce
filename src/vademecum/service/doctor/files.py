"""Checks of the files as a whole: what is left out, what is kept aside, what is unfinished."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.doctor.patient import Patient
from vademecum.workspace.conflicts import FOLDER

_EXPECTED = ("in a dot folder", "a dot file", "ignored by ", "left out by default", "the archive")
_COPY = "a conflict copy"
_ANOTHER = "a workspace of its own"


def left_out(patient: Patient) -> Iterator[Finding]:
    """Files that are named like notes and are none by policy, and copies of sync tools."""
    for skipped in patient.scan.skipped:
        if skipped.reason.startswith(_EXPECTED):
            continue
        copy = skipped.reason.startswith(_COPY)
        yield Finding(
            "conflict-copy" if copy else "skipped-file",
            Severity.DEFECT if copy else Severity.NOTICE,
            skipped.path,
            f"It is not searched: {skipped.reason}.",
            _remedy(skipped.reason),
        )


def _remedy(reason: str) -> str:
    if reason.startswith(_COPY):
        return "Move what is missing into the original, then remove the copy."
    if reason.startswith(_ANOTHER):
        return "Nothing has to be done: another memory is closed to this one, also by path."
    return "Nothing has to be done if that is meant; it can still be read by path."


def unreadable(patient: Patient) -> Iterator[Finding]:
    """Folders and files that could not be looked at."""
    for failed in patient.scan.failed:
        yield Finding(
            "unreadable",
            Severity.DEFECT,
            failed.path,
            f"It {failed.reason}; what the index knew of it stays as it was.",
            "Give yourself the right to read it, or check the disk.",
        )


def kept_versions(patient: Patient) -> Iterator[Finding]:
    """Versions that could not be merged and wait for a person."""
    for record in sorted((patient.workspace.root / FOLDER).glob("*.md")):
        yield Finding(
            "conflict-record",
            Severity.DEFECT,
            f"{FOLDER}/{record.name}",
            "Two writers changed the same lines, and this version was kept aside.",
            "Move what is missing into the note, then remove the record.",
        )


def unfinished_writes(patient: Patient) -> Iterator[Finding]:
    """Writes of processes that died before they were done."""
    for intent in patient.workspace.files.records.journal.pending():
        yield Finding(
            "unfinished-write",
            Severity.NOTICE,
            intent.change.path,
            f"The write {intent.change.id} ({intent.change.verb}) was begun and not finished.",
            "Nothing has to be done: the next write to the file finishes it or takes it back.",
        )


def ledger(patient: Patient) -> Iterator[Finding]:
    """Lines of the ledger that cannot be read."""
    for line in patient.workspace.ledger.defects():
        yield Finding(
            "ledger-damaged",
            Severity.DEFECT,
            f"{patient.workspace.ledger.path}:{line}",
            "This line of the ledger cannot be read, so its write can be neither shown nor undone.",
            "The files are intact; restore the ledger from a backup if that write matters.",
        )


FILE_CHECKS = (left_out, unreadable, kept_versions, unfinished_writes, ledger)
"""Every check of the files as a whole."""
