"""What a job did or would do: each step, what was declined and why, and how to take it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.as_json import Json, plain
from vademecum.surfaces.rendering.lines import Line, block, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.core.jobs import JobReport, Proposal, Step

_STYLES = {"declined": "warning", "there already": "faint"}
_WOULD = {
    "conflicted": "would conflict",
    "already known": "would be confirmed",
    "waiting": "would wait",
}
"""How an outcome is told of a run that changes nothing; else it "would be" that."""


def report_fields(report: JobReport) -> dict[str, Json]:
    """Return a report with `proposed` in each step saying what sort of change it is."""
    made = plain(report)
    fields = made if isinstance(made, dict) else {}
    rows: list[Json] = []
    for step in report.steps:
        row = plain(step)
        proposed = {"proposed": type(step.proposal).__name__.casefold()}
        rows.append({**proposed, **row} if isinstance(row, dict) else row)
    return {**fields, "steps": rows}


def reported(report: JobReport) -> Iterator[Line]:
    """Yield a line for each step, with its diff in a dry run, and what came of the whole."""
    for step in report.steps:
        yield from _step(step, dry_run=report.dry_run)
    refused = {step.why for step in report.steps if step.outcome == "declined"}
    for one in report.declined:
        if one.why not in refused:
            place = f"  {one.where}" if one.where else ""
            yield line(("declined  ", "warning"), one_line(one.what), (visible(place), "place"))
            yield line((one_line(one.why), "faint"), indent=2)
    for part in report.degraded:
        yield line((f"{part.part}: ", "warning"), one_line(part.reason))
        if part.remedy:
            yield line((one_line(part.remedy), "faint"), indent=2)
    for note in report.notes:
        yield line((one_line(note), "faint"))
    yield _ending(report)


def reported_in_brief(report: JobReport) -> Iterator[Line]:
    """Yield the same; of a run that found nothing to do, only that."""
    if report.steps or report.declined or report.degraded:
        yield from reported(report)
    else:
        yield _ending(report)


def _step(step: Step, *, dry_run: bool) -> Iterator[Line]:
    style = _STYLES.get(step.outcome, "good")
    outcome = step.outcome
    if dry_run and outcome not in _STYLES:
        outcome = _WOULD.get(outcome, f"would be {outcome}")
    yield line((f"{outcome}  ", style), one_line(_told(step.proposal)))
    if step.why:
        yield line((one_line(step.why), "faint"), indent=2)
    if dry_run and step.diff:
        yield from block(visible(step.diff.rstrip("\n")), indent=2)


def _told(proposal: Proposal) -> str:
    if type(proposal).__name__ == "Refreshed":
        return "the workbench"
    named = getattr(proposal, "path", "")
    if to := getattr(proposal, "to", ""):
        return f"{named} to {to}"
    return named or getattr(proposal, "title", "") or proposal_text(proposal)


def proposal_text(proposal: Proposal) -> str:
    """Return the text of a proposal, a claim with its tag."""
    tag = getattr(proposal, "tag", "")
    text = getattr(proposal, "text", "")
    return f"[{tag}] {text}" if tag else text


def _ending(report: JobReport) -> Line:
    named = f"{report.job.value} {report.key}".strip()
    changed = sum(bool(step.change) for step in report.steps)
    if report.elsewhere:
        return line((f"{named}: left to the process that runs it", "faint"))
    if report.already:
        return line((f"{named}: done before", "faint"))
    if report.dry_run:
        steps = f"{plural(len(report.steps), 'step')}, " if report.steps else ""
        how = "  to write it: vade promote --apply" if steps and named.startswith("promote") else ""
        return line((f"{named}: {steps}nothing was changed", "strong"), (how, "faint"))
    by = f"--session {report.session}" if report.session else report.key
    undo = f"  undo: vade undo {by}" if changed else ""
    done = plural(changed, "write") if changed else "nothing was changed"
    return line((f"{named}: {done}", "strong"), (undo, "faint"))
