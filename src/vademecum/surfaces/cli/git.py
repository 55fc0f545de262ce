"""`vade git`: memory as history in a repository."""

from __future__ import annotations

from typing import Literal, cast

import click

from vademecum.core.errors import BadInput
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "git",
    example="vade git setup\nvade git sync\nvade git sync --remote team --dry-run\nvade git remove",
    exits=(2, 3, 4, 5, 7),
)
@click.argument(
    "action",
    type=click.Choice(["status", "setup", "commit", "sync", "remove"]),
    default="status",
)
@click.option("--remote", metavar="NAME", help="sync: with this one; else the branch's own.")
@click.option("--dry-run", is_flag=True, help="sync: fetch, and say what would happen.")
@pass_call
def command(call: Call, action: str, remote: str | None, dry_run: bool) -> None:
    """Show how memory stands with Git (status), or change that.

    setup registers the merge driver in this clone, marks memory files in .gitattributes (commit it
    yourself), and commits what is written from then on, one commit an actor and verb, without
    hooks, and without touching what you have staged. commit carries over what is waiting. sync
    commits notes that were edited by hand too, merges what others pushed, claim by claim, and
    pushes. remove takes back what setup did.
    """
    if action == "sync":
        _sync(call, remote or "", dry_run=dry_run)
        return
    if remote or dry_run:
        raise BadInput("--remote and --dry-run belong to sync.", hint="See `vade git --help`.")
    from vademecum.surfaces.rendering.overseeing import (  # noqa: PLC0415  not for `--help`
        git_standing,
    )

    with call.memory() as memory:
        done = memory.git(cast("Literal['status', 'setup', 'commit', 'remove']", action))
    output.show(done, git_standing(done), json=call.json)


def _sync(call: Call, remote: str, *, dry_run: bool) -> None:
    from vademecum.surfaces.cli.progress import Progress  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering.overseeing import git_synced  # noqa: PLC0415  as above

    with call.memory() as memory, Progress() as progress:
        done = memory.git("sync", remote=remote, dry_run=dry_run, progress=progress)
    output.show(done, git_synced(done), json=call.json)
