"""`vade review`: decide what waits for a person."""

from __future__ import annotations

import click

from vademecum.core.errors import BadInput
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.remember import TAGS
from vademecum.surfaces.cli.verb import Call, pass_call, verb

MATTERS = (
    "conflict",
    "rivals",
    "candidate",
    "quarantine",
    "duplicate",
    "version",
    "promotion",
    "stale",
)
ACTIONS = ("list", "keep", "rule", "merge", "drop", "release")


@verb(
    "review",
    example="vade review\n"
    "vade review rule ^5d819f --for ^c7f3a1\n"
    "vade review keep memory/facts/harbour.md",
    exits=(2, 3, 4, 5, 6),
)
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("id", metavar="[ID]", default="")
@click.option("--for", "choice", metavar="CLAIM", default="", help="rule: the claim that holds.")
@click.option("--tag", type=click.Choice(TAGS), help="release, keep: the tag that you give it.")
@click.option("--only", type=click.Choice(MATTERS), help="list: only these.")
@pass_call
def command(
    call: Call, action: str, id: str, choice: str, tag: str | None, only: str | None
) -> None:
    """List what waits for a person, or rule on one item.

    \b
    keep ID               a stale note or a pair holds; a candidate is believed; what is proposed
                          goes to core memory
    rule ID --for CLAIM   that side of a conflict holds; the others are struck
    merge ID              this one of the duplicates stays; a kept version is folded in
    drop ID               it does not hold: struck and dated; a kept version is put away
    release ID --tag T    out of quarantine, under the tag you give it

    ID is a block id, a note, or PATH:LINE, as the list names them. No line is ever deleted; each
    ruling is one write that `vade undo` takes back, and does nothing the second time. With
    --agent, conflicts, candidates and quarantine cannot be ruled: that is for people.
    """
    from vademecum.surfaces.rendering import review  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        if action == "list":
            if id or choice or tag:
                raise BadInput("`vade review list` takes only --only.")
            found = [item for item in memory.review() if only in (None, item.matter.value)]
            output.show({"items": found}, review.items(found), json=call.json)
            return
        done = memory.review(action, id, choice=choice, tag=tag, by_person=call.is_person)
    output.show(done, review.ruled(done), json=call.json)
