"""The report of a migration as Markdown: every line of the source, and where it is now."""

from __future__ import annotations

import os
from collections.abc import Iterator

from vademecum.core.migration import Account, Fate, MigrationPlan, MigrationReport
from vademecum.migration.bodies import shown
from vademecum.migration.shelf import Case
from vademecum.workspace.disk_errors import state_translated

_TOLD = {
    Fate.NOTE: "note",
    Fate.INSTRUCTION: "instructions",
    Fate.LOG: "log",
    Fate.MAP: "said by map or frontmatter",
    Fate.ARCHIVE: "archive",
    Fate.QUARANTINE: "quarantine",
    Fate.DUPLICATE: "duplicate",
    Fate.BLANK: "blank",
    Fate.HEADING: "heading",
    Fate.GENERATED: "generated text",
    Fate.FORGOTTEN: "forgotten here before",
    Fate.SECRET: "credential, in the staged original only",
}


def write_report(case: Case, plan: MigrationPlan, report: MigrationReport) -> None:
    """Write the report beside the plan; it is there whole or not at all."""
    temporary = case.report.with_suffix(".tmp")
    with state_translated(temporary):
        with temporary.open("w", encoding="utf-8", errors="replace") as file:
            for line in _lines(case, plan, report):
                file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(case.report)


def _lines(case: Case, plan: MigrationPlan, report: MigrationReport) -> Iterator[str]:
    yield f"# Migration {plan.id}"
    yield ""
    yield f"- from: {shown(plan.source)}"
    yield f"- into: {shown(plan.into)}"
    yield f"- at: {plan.at.isoformat(timespec='seconds')}"
    yield f"- lines: {report.accounted:,} of {report.lines:,} accounted for"
    yield f"- notes: {report.notes:,}, claims: {report.claims:,}"
    yield f"- take it back: `vade migrate --rollback {plan.id}`"
    for told in report.degraded:
        yield f"- {told.part}: {shown(told.reason)}"
    for title, rows in (
        ("Never followed, left where it is", plan.quarantined),
        ("Not taken, left where it is", plan.passed),
    ):
        if rows:
            yield from ("", f"## {title}", "")
            yield from (f"- `{shown(one.path)}`: {shown(one.reason)}" for one in rows)
    path = ""
    for account in case.accounts():
        if account.source.path != path:
            path = account.source.path
            yield from (
                "",
                f"## {shown(path)}",
                "",
                "| lines | became | where | |",
                "|---|---|---|---|",
            )
        yield _row(account)


def _row(account: Account) -> str:
    first, last = account.source.first, account.source.last
    lines = str(first) if first == last else f"{first}-{last}"
    if account.part:
        lines = f"{lines} ({account.part})"
    where = f"`{shown(str(account.to))}`" if account.to is not None else ""
    why = shown(account.why).replace("|", "\\|")
    return f"| {lines} | {_TOLD[account.fate]} | {where} | {why} |"
