"""`vade git`: memory as history in a repository."""

from __future__ import annotations

from typing import Literal, cast

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("git", example="vade git setup\nvade git status\nvade git remove", exits=(2, 3, 4, 5))
@click.argument(
    "action",
    type=click.Choice(["status", "setup", "commit", "remove"]),
    default="status",
)
@pass_call
def command(call: Call, action: str) -> None:
    """Show how memory stands with Git (status), or change that.

    setup registers the merge driver in this clone, marks memory files in .gitattributes (commit it
    yourself), and commits what is written from then on, one commit an actor and verb, without
    hooks, and without touching what you have staged. commit carries over what is waiting. remove
    takes back what setup did.
    """
    from vademecum.surfaces.rendering.overseeing import (  # noqa: PLC0415  not for `--help`
        git_standing,
    )

    with call.memory() as memory:
        done = memory.git(cast("Literal['status', 'setup', 'commit', 'remove']", action))
    output.show(done, git_standing(done), json=call.json)
