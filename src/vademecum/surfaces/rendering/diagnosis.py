"""What the doctor found and mended, as text with diffs and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.lines import Line, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.doctor.finding import Diagnosis, Finding, Mended

_SHOWN = 20
"""Findings of one code that are shown; JSON has them all."""
_STYLES = {"+": "good", "-": "bad", "@": "faint"}


def lines(found: Diagnosis) -> Iterator[Line]:
    """Yield what was mended with its diff, each finding with its remedy, then the sum."""
    for mended in found.mended:
        yield from _mended(mended, planned=found.planned)
    counts: Counter[str] = Counter()
    for finding in found.findings:
        counts[finding.code] += 1
        if counts[finding.code] <= _SHOWN:
            yield from _finding(finding)
    for code, count in counts.items():
        if count > _SHOWN:
            yield line(f"… and {count - _SHOWN:,} more [{code}]; --json lists all")
    yield _sum(found)


def fields(found: Diagnosis) -> dict[str, object]:
    """Return what JSON tells of a diagnosis; `mend` says what `--fix` would do, or is empty."""
    return {
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "where": finding.where,
                "sentence": finding.sentence,
                "remedy": finding.remedy,
                "mend": finding.mend.what if finding.mend else "",
            }
            for finding in found.findings
        ],
        "checks": found.checks,
        "mended": found.mended,
        "planned": found.planned,
        "sound": found.sound,
    }


def _finding(finding: Finding) -> Iterator[Line]:
    style = "bad" if finding.severity.value == "defect" else "warning"
    yield line(
        (finding.severity.value, style),
        "  ",
        (visible(finding.where), "place"),
        (f"  [{finding.code}]", "faint"),
    )
    yield line(one_line(finding.sentence), indent=3)
    if finding.remedy:
        yield line((f"remedy: {one_line(finding.remedy)}", "faint"), indent=3)


def _mended(mended: Mended, *, planned: bool) -> Iterator[Line]:
    undo = f"  undo: {mended.change}" if mended.change else ""
    yield line(
        ("would mend  " if planned else "mended  ", "good"),
        (visible(mended.path), "place"),
        (f"  [{mended.code}]{undo}", "faint"),
    )
    for row in visible(mended.diff).rstrip("\n").split("\n"):
        yield line((row, _STYLES.get(row[:1], "")), indent=3)


def _sum(found: Diagnosis) -> Line:
    defects = sum(finding.severity.value == "defect" for finding in found.findings)
    notices = len(found.findings) - defects
    said = f"{plural(found.checks, 'check')}: {plural(defects, 'defect')}"
    said = f"{said}, {plural(notices, 'notice')}"
    mendable = sum(finding.mend is not None for finding in found.findings)
    if found.mended and not found.planned:
        said += f", {sum(len(mended.what) for mended in found.mended):,} mended"
    elif mendable and not found.planned:
        said += f"; `vade doctor --fix` mends {mendable:,}"
    return line((f"{said}.", "bad" if defects else "good"))
