"""`vade migrate`: move what another system left into memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.core.migration import MigrationPlan
    from vademecum.service.memory import Memory


@verb(
    "migrate",
    example="vade migrate ~/project/CLAUDE.md --into ~/agents/main --dry-run\n"
    "vade migrate ~/.openclaw/workspace --yes\n"
    "vade migrate --status\n"
    "vade migrate --rollback",
    exits=(2, 3, 4, 5, 7),
)
@click.argument("source", required=False)
@click.option("--into", metavar="WORKSPACE", help="The workspace that it is moved into.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; change nothing.")
@click.option("--yes", is_flag=True, help="Approve the plan, its instructions too.")
@click.option(
    "--own",
    is_flag=True,
    help="SOURCE is an export of your own memory: what you stated there stays stated.",
)
@click.option("--status", is_flag=True, help="List the migrations and how far they are.")
@click.option(
    "--rollback",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[ID]",
    help="Take a migration back, the newest without an ID.",
)
@click.option(
    "--finish",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[ID]",
    help="Delete the staged originals of a migration that is done.",
)
@pass_call
def command(
    call: Call,
    source: str | None,
    into: str | None,
    dry_run: bool,
    yes: bool,
    own: bool,
    status: bool,
    rollback: str | None,
    finish: str | None,
) -> None:
    """Move what is at SOURCE into memory without losing a line.

    SOURCE is a CLAUDE.md, AGENTS.md or .seed.md, the auto-memory of Claude Code, an openclaw,
    nanoclaw, vault or gitmem tree, notes of basic-memory or Letta, an export of mem0 or ChatGPT,
    or a folder of Markdown. The plan is shown first; nothing happens before it is approved.
    Standing behaviour becomes instructions, facts become notes, logs go to their days. Originals
    are copied aside; SOURCE itself is never changed where it lies outside of the workspace.
    """
    if sum((source is not None, status, rollback is not None, finish is not None)) != 1:
        raise click.UsageError("Name a SOURCE, or one of --status, --rollback and --finish.")
    from vademecum.surfaces.rendering import moving  # noqa: PLC0415  not for `--help`

    call.workspace = into or call.workspace
    with call.memory() as memory:
        if source is not None:
            _move(call, memory, source, dry_run=dry_run, yes=yes, own=own)
        elif status:
            standings = memory.migrate()
            output.show(standings, moving.standings(standings), json=call.json)
        elif rollback is not None:
            back = memory.migrate(rollback=rollback)
            output.show(back, moving.standing(back), json=call.json)
        else:
            done = memory.migrate(finish=finish or "")
            output.show(done, moving.standing(done), json=call.json)


def _move(call: Call, memory: Memory, source: str, *, dry_run: bool, yes: bool, own: bool) -> None:
    from vademecum.surfaces.rendering import moving  # noqa: PLC0415  as above

    with Progress() as progress:
        plan = memory.migrate(source, own=own, progress=progress)
    if dry_run or not (yes or _asks(call)):
        output.show(plan, moving.planned(plan, applied=False), json=call.json)
        return
    if not yes and not _approved(plan):
        output.note([moving.unchanged()])
        return
    with Progress() as progress:
        report = memory.migrate(approved=plan, progress=progress)
    output.show(report, moving.reported(report), json=call.json)


def _asks(call: Call) -> bool:
    """Whether there is a person to ask."""
    return not call.json and sys.stdin.isatty() and sys.stderr.isatty()


def _approved(plan: MigrationPlan) -> bool:
    from vademecum.surfaces.rendering import moving  # noqa: PLC0415  as above

    output.note(moving.planned(plan, applied=True))
    return plan.empty or click.confirm("Carry this out?", default=False, err=True)
