"""Migrations as text: the plan to approve, the report, how each stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from vademecum.core.export import Exported, ExportForm
from vademecum.core.migration import (
    Fate,
    FilePlan,
    MigrationPlan,
    MigrationReport,
    MigrationStanding,
    Passed,
    Phase,
    Treatment,
)
from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.lines import Line, columns, line
from vademecum.surfaces.rendering.visible import one_line, visible

_MOST_FILES = 60
_MOST_PASSED = 20
_BY = {
    Treatment.WHOLE: "note",
    Treatment.SPLIT: "split",
    Treatment.LOG: "log",
    Treatment.MAP: "map",
    Treatment.GROWN: "grown",
    Treatment.ARCHIVE: "archive",
    Treatment.RECORDS: "export",
    Treatment.GENERATED: "generated",
    Treatment.TWIN: "same",
}


def planned(plan: MigrationPlan, *, applied: bool) -> Iterator[Line]:
    """Yield what a plan would do; `applied` leaves out that nothing was changed."""
    for found in plan.found:
        place = visible(found.path) if found.path else visible(plan.source)
        yield line(
            (found.origin.value, "strong"),
            "  ",
            (place, "place"),
            f"  {plural(found.files, 'file')}",
        )
    if plan.resumes:
        yield line(("This was begun before; it goes on where it stopped.", "warning"))
    rows = [_file(file) for file in plan.files[:_MOST_FILES]]
    if rows:
        yield line()
        yield from columns(rows, styles=("faint", "place", ""))
    if len(plan.files) > _MOST_FILES:
        yield line((f"… and {len(plan.files) - _MOST_FILES:,} more files", "faint"))
    if plan.instructions:
        yield line()
        told = f"These lines become instructions, in {visible(plan.instructions_path)}:"
        yield line((told, "warning"))
        for row in plan.instructions:
            yield line(one_line(row), indent=2)
    yield from _aside(plan.quarantined, "never followed")
    yield from _aside(plan.passed, "not taken")
    for told_of in plan.degraded:
        yield line((f"{told_of.part}: ", "warning"), one_line(told_of.reason))
    yield line()
    if plan.empty:
        yield line("There is nothing in it that was not moved in before.")
    elif not applied:
        yield line("Nothing was changed. Carry it out with --yes.")


def unchanged() -> Line:
    """Return the line for a plan that was not approved."""
    return line("Nothing was changed.")


def reported(report: MigrationReport) -> Iterator[Line]:
    """Yield what a migration did."""
    if report.already:
        yield line("There is nothing in it that was not moved in before; nothing was changed.")
        return
    for file in report.files[:_MOST_FILES]:
        told = _fates(file.fates)
        yield line(
            (one_line(file.path), "place"),
            f"  {file.accounted:,} of {plural(file.lines, 'line')}: {told}",
        )
        for to in file.to[:3]:
            yield line((visible(to), "faint"), indent=3)
    if len(report.files) > _MOST_FILES:
        yield line((f"… and {len(report.files) - _MOST_FILES:,} more files", "faint"))
    secrets = sum(file.fates.get(Fate.SECRET.value, 0) for file in report.files)
    secrets += sum(account.why.startswith("without a credential") for account in report.accounts)
    if secrets:
        yield line((f"{plural(secrets, 'line')} lost a credential; see the report.", "warning"))
    yield from _aside(report.quarantined, "never followed")
    yield from _aside(report.passed, "not taken")
    for told_of in report.degraded:
        yield line((f"{told_of.part}: ", "warning"), one_line(told_of.reason))
    yield line()
    every = f"{report.accounted:,} of {plural(report.lines, 'line')} accounted for"
    yield line(
        (every, "good"), f"  {plural(report.notes, 'note')}, {plural(report.claims, 'claim')}"
    )
    yield line("report  ", (visible(report.report), "place"))
    yield line(f"take it back: vade migrate --rollback {report.id}", indent=0)
    yield line(f"keep it: vade migrate --finish {report.id}", indent=0)


def standings(each: Sequence[MigrationStanding]) -> Iterator[Line]:
    """Yield how every migration stands."""
    for one in each:
        yield from standing(one)
    if not each:
        yield line("Nothing was moved in yet.")


def standing(one: MigrationStanding) -> Iterator[Line]:
    """Yield how one migration stands, and what was left by taking it back."""
    style = "good" if one.phase in (Phase.DONE, Phase.FINISHED) else "warning"
    yield line(
        (one.id, "strong"),
        "  ",
        (one.phase.value, style),
        f"  {one.at.date().isoformat()}  {plural(one.files, 'file')}  ",
        (visible(one.source), "place"),
    )
    for left in one.left:
        yield line(("left  ", "warning"), (visible(left.path), "place"), indent=3)
        yield line(one_line(left.reason), indent=6)


def exported(done: Exported) -> Iterator[Line]:
    """Yield what went out."""
    for title, rows in (("renamed", done.renamed), ("repaired", done.repaired)):
        yield from _aside(rows, title)
    yield from _aside(done.redacted, "without a credential")
    yield from _aside(done.passed, "not taken")
    told = f"{plural(done.notes, 'note')}, {plural(done.claims, 'claim')}"
    yield line((visible(done.to), "place"), f"  {told}  {done.form.value}")
    if done.form is ExportForm.OKF:
        yield line(f"check it: vade doctor --okf --workspace {visible(done.to)}")


def _file(file: FilePlan) -> tuple[str, ...]:
    if file.treatment is Treatment.TWIN:
        to = f"the same is in {visible(file.twin)}"
    elif file.decisions and file.treatment is not Treatment.RECORDS:
        counted = Counter(d.fate.value for d in file.decisions for _ in range(d.first, d.last + 1))
        named = ", ".join(visible(note.path) for note in file.notes[:3])
        to = _fates(counted)
        to = f"{to}  {named}" if named else to
    elif file.treatment is Treatment.RECORDS:
        to = f"{plural(len(file.decisions), 'record')}, {plural(len(file.notes), 'note')}"
    else:
        to = visible(file.to)
    return _BY[file.treatment], one_line(file.path), to


def _fates(counted: Mapping[str, int]) -> str:
    """Return how many lines meet which fate: `note 3, blank 1`."""
    return ", ".join(f"{fate} {count:,}" for fate, count in counted.items())


def _aside(rows: Sequence[Passed], what: str) -> Iterator[Line]:
    for one in rows[:_MOST_PASSED]:
        yield line(
            (f"{what}  ", "faint"), (one_line(one.path), "place"), f"  {one_line(one.reason)}"
        )
    if len(rows) > _MOST_PASSED:
        yield line((f"{what}: {len(rows) - _MOST_PASSED:,} more", "faint"))
