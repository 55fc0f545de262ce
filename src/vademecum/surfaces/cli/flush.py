"""`vade flush`: whether memories are to be written down before a compaction, and writing them."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb
from vademecum.surfaces.cli.window import messages_in


@verb(
    "flush",
    example="vade flush --session s1 --window 200000 --tokens 181000 --json\n"
    "vade flush --session s1 'decision: Services talk REST'\n"
    "vade flush",
    exits=(2, 3, 4, 5, 6),
)
@click.argument("reply", nargs=-1)
@click.option("--session", metavar="ID", help="The session; else actor.session.")
@click.option(
    "--window", type=click.IntRange(1), metavar="N", help="Tokens of the window: ask if it is due."
)
@click.option(
    "--tokens", type=click.IntRange(0), metavar="N", help="Tokens in it; else told by --messages."
)
@click.option(
    "--messages", metavar="FILE", help="The window as JSON (`-`: standard input), kept on file."
)
@pass_call
def command(
    call: Call,
    reply: tuple[str, ...],
    session: str | None,
    window: int | None,
    tokens: int | None,
    messages: str | None,
) -> None:
    """Say whether a flush is due, write down REPLY (`-`: standard input), or make up for a miss.

    With --window: whether the window is so full that the agent is to write down what lasts; what is
    printed then is the prompt for a turn that the user does not see. REPLY is what it answered: one
    memory a line, or NO_REPLY. It is written once a compaction, whatever file it names. With
    neither, every flush that was missed is made up for from the transcripts.
    """
    from vademecum.surfaces.rendering import keeping  # noqa: PLC0415  not for `--help`

    given = messages_in(call, messages)
    with call.memory() as memory:
        if window is not None:
            made = memory.flush(window=window, tokens=tokens, messages=given, session=session)
            output.show(keeping.due_fields(made), keeping.due(made), json=call.json)
            return
        if reply:
            done = memory.flush(joined(reply), messages=given, session=session)
            output.show(keeping.flushed_fields(done), keeping.flushed(done), json=call.json)
            return
        every = memory.flush(session=session)
        output.show(keeping.flushed_fields(every), keeping.flushed(every), json=call.json)
