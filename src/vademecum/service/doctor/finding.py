"""What the doctor says: findings, each with its place and its remedy."""

from __future__ import annotations

import enum

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.frozen import dataclass


class Severity(enum.StrEnum):
    """How much a finding matters."""

    DEFECT = "defect"
    """Something is wrong; `vade doctor` ends with exit code 8."""
    NOTICE = "notice"
    """Worth knowing; everything works as it was set up."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    `code` is stable and meant for programs. `where` is a path with or without a line, a key or a
    part of the system.
    """

    code: str
    severity: Severity
    where: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings, in the order of the checks, and how many checks ran."""

    findings: tuple[Finding, ...]
    checks: int

    @property
    def sound(self) -> bool:
        """Whether no finding is a defect."""
        return all(finding.severity is not Severity.DEFECT for finding in self.findings)


def unopened(error: InvalidConfiguration) -> Diagnosis:
    """Return the diagnosis of a workspace that its configuration keeps from being opened."""
    finding = Finding(error.code, Severity.DEFECT, "configuration", str(error), error.hint)
    return Diagnosis((finding,), 1)
