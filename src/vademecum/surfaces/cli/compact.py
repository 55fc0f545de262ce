"""`vade compact`: a summary in the place of a window's early turns."""

from __future__ import annotations

import sys

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb
from vademecum.surfaces.cli.window import messages_in, text_in


@verb(
    "compact",
    example="vade compact --session s1 --messages window.json --json\n"
    "vade compact --session s1 --keep 8000",
    exits=(2, 3, 4, 5),
)
@click.option("--session", metavar="ID", help="The session; else actor.session.")
@click.option(
    "--messages", metavar="FILE", help="The window as JSON (`-`: standard input); else on file."
)
@click.option("--summary", metavar="FILE", help="A summary that your model made; else by rules.")
@click.option("--keep", type=click.IntRange(0), metavar="N", help="Tokens that stay; else 20,000.")
@click.option(
    "--budget", type=click.IntRange(200), metavar="N", help="Tokens of the summary; else 8,000."
)
@pass_call
def command(
    call: Call,
    session: str | None,
    messages: str | None,
    summary: str | None,
    keep: int | None,
    budget: int | None,
) -> None:
    """Summarise the early turns of a window; the newest stay, a tool's result with its call.

    Every turn and the summary are on disk before anything is printed. With --json and --messages
    the new window is printed too. Decisions that a model's summary lacks are added; one without a
    heading, an open question or an identifier is not taken: nothing changes, and the reasons are
    printed. That and a window with nothing to summarise end with exit code 0 too.
    """
    from vademecum.surfaces.rendering import keeping  # noqa: PLC0415  not for `--help`

    given = messages_in(call, messages)
    with call.memory() as memory:
        done = memory.compact(
            given,
            session=session,
            summary=None if summary is None else text_in(call, summary),
            keep=keep,
            budget=budget,
        )
    if call.json:
        output.show_json(keeping.compacted_fields(done, given))
    else:
        kept = hasattr(done, "reasons")
        output.write(keeping.compacted(done), sys.stderr if kept else sys.stdout)
