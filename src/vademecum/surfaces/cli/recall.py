"""`vade recall`: answer a question with a few cited sources."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb("recall", example='vade recall "which API style did we pick?"', exits=(2, 3, 4, 5, 6))
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-k",
    "--limit",
    type=click.IntRange(1, 100),
    metavar="N",
    help="At most this many sources; else search.k of the configuration.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="At most this many tokens of text; else search.budget.",
)
@click.option("--keyword", is_flag=True, help="Match words only; loads no model.")
@click.option(
    "--history", is_flag=True, help="Tell what held before too, the oldest first, with its dates."
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
    "--from",
    "origin",
    multiple=True,
    metavar="AGENT",
    help="Ask the memory of another agent that granted it instead; may be repeated.",
)
@click.option("--all-granted", is_flag=True, help="Ask this memory and all that were granted.")
@pass_call
def command(
    call: Call,
    query: tuple[str, ...],
    limit: int | None,
    budget: int | None,
    keyword: bool,
    history: bool,
    as_of: str | None,
    scope: tuple[str, ...],
    origin: tuple[str, ...],
    all_granted: bool,
) -> None:
    """Answer QUERY (`-` reads standard input) with a few sources, each cited with its lines.

    The answer says how it was found (level L1 map, L2 file, L3 search), what could not be
    consulted and how much of the workspace is indexed. Nothing known is an answer too: exit code 0.
    What memory knows to be past is left out, unless it is asked for. Sources from other agents are
    cited as AGENT:PATH.
    """
    from vademecum.surfaces.rendering.answers import briefing  # noqa: PLC0415  not for `--help`

    with call.memory() as memory:
        answer = memory.recall(
            joined(query),
            limit=limit,
            budget=budget,
            history=history,
            as_of=as_of,
            scope=scope,
            leg="keyword" if keyword else None,
            origin="*" if all_granted else origin,
        )
    output.show(answer, briefing(answer), json=call.json)
