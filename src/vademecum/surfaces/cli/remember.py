"""`vade remember`: write a claim where it belongs, after reading what memory holds about it."""

from __future__ import annotations

import sys

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb

KINDS = ("decision", "lesson", "preference", "person", "project", "fact")
TAGS = ("stated", "observed", "inferred", "suggested")


@verb(
    "remember",
    example='vade remember "Services talk REST" --kind decision --tag stated\n'
    'vade remember "Anna lives in Oslo" --from memory/2026-01-20.md:5 --quote "moved to Oslo"\n'
    'vade remember "Services talk tRPC" --supersedes ^c7f3a1 --dry-run',
    exits=(2, 3, 4, 5, 6),
)
@click.argument("text", nargs=-1, required=True)
@click.option("--tag", type=click.Choice(TAGS), help="Where it comes from; else see below.")
@click.option("--kind", type=click.Choice(KINDS), help="What it is; else told by its words.")
@click.option("--about", metavar="NOTE", default="", help="The note it goes to: path or title.")
@click.option(
    "--from",
    "source",
    metavar="SPAN",
    multiple=True,
    help="Evidence: PATH:LINE or PATH:FIRST-LAST.",
)
@click.option("--quote", metavar="Q", multiple=True, help="What is said there, word by word.")
@click.option(
    "--supersedes", metavar="ID", multiple=True, help="Strike the claim with this block id."
)
@click.option("--slot", metavar="S", default="", help="What it gives a value to: one at a time.")
@click.option("--since", metavar="DATE", help="First day on which it holds; else today.")
@click.option("--untrusted", is_flag=True, help="It comes from outside: put it in quarantine.")
@click.option("--redact", is_flag=True, help="Leave out what looks like a credential.")
@click.option("--dry-run", is_flag=True, help="Say what would happen; write nothing.")
@pass_call
def command(
    call: Call,
    text: tuple[str, ...],
    tag: str | None,
    kind: str | None,
    about: str,
    source: tuple[str, ...],
    quote: tuple[str, ...],
    supersedes: tuple[str, ...],
    slot: str,
    since: str | None,
    untrusted: bool,
    redact: bool,
    dry_run: bool,
) -> None:
    """Remember TEXT (`-` reads standard input), one claim, and say what that did.

    It is added; or takes the place of an older claim, which is struck and dated; or stands against
    one, and both are marked until a person rules; or was known; or waits at the gate; or is kept
    in quarantine. All of these end with exit code 0. Without --tag it counts as stated by you at
    a terminal, else as inferred; --from and --quote cite who said it.
    """
    from vademecum.surfaces.rendering import claims  # noqa: PLC0415  not for `--help`

    by_person = call.is_person and sys.stdin.isatty()
    with call.memory() as memory:
        outcome = memory.remember(
            joined(text),
            kind=kind,
            tag=tag,
            about=about,
            source=source,
            quote=quote,
            supersedes=supersedes,
            slot=slot,
            since=since,
            untrusted=untrusted,
            redact=redact,
            by_person=by_person,
            dry_run=dry_run,
        )
    lines = claims.remembered(outcome, dry_run=dry_run)
    output.show(claims.outcome_fields(outcome), lines, json=call.json)
