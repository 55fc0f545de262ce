"""What the doctor says: findings, each with its place and its remedy."""

from __future__ import annotations

import enum
from collections.abc import Callable

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.frozen import dataclass
from vademecum.writing.draft import Draft


class Severity(enum.StrEnum):
    """How much a finding matters."""

    DEFECT = "defect"
    """Something is wrong; `vade doctor` ends with exit code 8."""
    NOTICE = "notice"
    """Worth knowing; everything works as it was set up."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What `--fix` does about a finding; no judgement is needed for it and no line is lost."""

    path: str
    what: str
    edit: Callable[[Draft], None]
    """Edits the file as it is by then; does nothing where the breach is gone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    `code` is stable and meant for programs. `where` is a path with or without a line, a key or a
    part of the system. With a `mend`, `vade doctor --fix` mends it.
    """

    code: str
    severity: Severity
    where: str
    sentence: str
    remedy: str
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Mended:
    """Findings of one kind in one file that were mended, or would be."""

    code: str
    path: str
    what: tuple[str, ...]
    change: str
    """The ledger group that `undo` takes; empty for a plan, and where the mend was not needed."""
    diff: str
    """Unified, of every file that changed."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings that are left, in the order of the checks, how many checks ran, what was mended.

    With `planned`, nothing was mended yet and the findings are all there still.
    """

    findings: tuple[Finding, ...]
    checks: int
    mended: tuple[Mended, ...] = ()
    planned: bool = False

    @property
    def sound(self) -> bool:
        """Whether no finding is a defect."""
        return all(finding.severity is not Severity.DEFECT for finding in self.findings)


def unopened(error: InvalidConfiguration) -> Diagnosis:
    """Return the diagnosis of a workspace that its configuration keeps from being opened."""
    finding = Finding(error.code, Severity.DEFECT, "configuration", str(error), error.hint)
    return Diagnosis((finding,), 1)
