"""`vade search`: list the places in memory that match."""

from __future__ import annotations

from typing import Literal

import click

from vademecum.core.errors import BadInput
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "search",
    example='vade search "retry budget" --explain\nvade search --keyword ERR_0x7F31 -k 3',
    exits=(2, 3, 4, 5, 6),
)
@click.argument("query", nargs=-1, required=True)
@click.option("--keyword", is_flag=True, help="Match words only; loads no model.")
@click.option("--semantic", is_flag=True, help="Match meaning only.")
@click.option("--explain", is_flag=True, help="Say why each hit is there, with its scores.")
@click.option(
    "-k",
    "--limit",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="At most this many hits; else search.k of the configuration.",
)
@click.option(
    "--as-of",
    metavar="DATE",
    help="What was known on that day (YYYY-MM-DD); later news is ignored.",
)
@click.option(
    "--scope",
    multiple=True,
    metavar="NAME",
    help="Leave out notes whose frontmatter names other scopes only; may be repeated.",
)
@click.option(
    "--transcripts", is_flag=True, help="Look in what was said in sessions, not in memory."
)
@click.option("--session", metavar="ID", help="With --transcripts: of that session only.")
@click.option(
    "--from",
    "origin",
    multiple=True,
    metavar="AGENT",
    help="Look in the memory of another agent that granted it instead; may be repeated.",
)
@click.option("--all-granted", is_flag=True, help="Look in this memory and all that were granted.")
@pass_call
def command(
    call: Call,
    query: tuple[str, ...],
    keyword: bool,
    semantic: bool,
    explain: bool,
    limit: int | None,
    as_of: str | None,
    scope: tuple[str, ...],
    transcripts: bool,
    session: str | None,
    origin: tuple[str, ...],
    all_granted: bool,
) -> None:
    """List the places that match QUERY (`-` reads standard input), best first.

    By words and by meaning together, unless one is chosen. Any text is a safe query. What memory
    knows to be past is marked and stands behind what replaced it.
    """
    if transcripts or session:
        if (
            not transcripts
            or keyword
            or semantic
            or explain
            or as_of
            or scope
            or origin
            or all_granted
        ):
            raise BadInput("--transcripts goes with --session and --limit only, and those with it.")
        _show_turns(call, joined(query), session or "", limit)
        return
    from vademecum.surfaces.rendering.answers import found  # noqa: PLC0415  not for `--help`

    if keyword and semantic:
        raise BadInput(
            "--keyword and --semantic exclude each other.", hint="Give neither for both."
        )
    leg: Literal["keyword", "semantic"] | None = (
        "keyword" if keyword else "semantic" if semantic else None
    )
    with call.memory() as memory:
        answer = memory.search(
            joined(query),
            leg=leg,
            limit=limit,
            as_of=as_of,
            scope=scope,
            origin="*" if all_granted else origin,
        )
    output.show(answer, found(answer, explain=explain), json=call.json)


def _show_turns(call: Call, query: str, session: str, limit: int | None) -> None:
    """Show what was said in sessions, which is no memory."""
    from vademecum.surfaces.rendering.waking import turns  # noqa: PLC0415  only transcripts need it

    with call.memory() as memory:
        answer = memory.transcripts(query, session=session, limit=limit)
    output.show(answer, turns(answer), json=call.json)
