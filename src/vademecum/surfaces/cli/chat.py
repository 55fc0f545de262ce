"""`vade chat`: talk to a model that has this memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.surfaces.chat.conversation import Conversation, Settled
    from vademecum.surfaces.rendering.lines import Line


@verb(
    "chat",
    example="vade chat --model ollama:qwen3\n"
    "vade chat --model anthropic:claude-sonnet-4-5 --once 'Which port does staging use?'",
    exits=(2, 3, 4, 5, 6, 7),
)
@click.option(
    "--model", metavar="PROVIDER:NAME", help="openai, anthropic, google or ollama; else model.chat."
)
@click.option("--once", metavar="TEXT", help="Say only this (`-`: standard input), then end.")
@click.option(
    "--window", type=click.IntRange(4000), metavar="N", help="Tokens it holds; else model.window."
)
@pass_call
def command(call: Call, model: str | None, once: str | None, window: int | None) -> None:
    """Talk to a model that recalls from and writes to this memory.

    One turn a line, until the end of the input. Each turn is in the session's transcript before
    its answer is shown; before the window is full what lasts is written down, and the window is
    compacted. The first Ctrl-C ends an answer, one at the prompt the conversation. It needs the
    extra `models`: pip install 'vademecum[models]'.
    """
    from vademecum.service.chatting import open_chat  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.chat.conversation import Conversation  # noqa: PLC0415  as above

    chat = open_chat(
        call.workspace,
        agent=call.agent,
        model=model,
        window=window,
        clock=call.clock,
        embedder=call.embedder,
    )
    with chat.memory:
        conversation = Conversation(chat)
        try:
            if once is not None:
                _turn(conversation, joined((once,)), call)
            else:
                _talk(conversation, call)
        finally:
            conversation.end()


def _talk(conversation: Conversation, call: Call) -> None:
    from vademecum.core.errors import VademecumError  # noqa: PLC0415  as above
    from vademecum.surfaces.rendering.lines import line  # noqa: PLC0415  as above

    while (said := _line()) is not None:
        if not said.strip():
            continue
        try:
            _turn(conversation, said, call)
        except VademecumError as error:  # told, and the conversation goes on
            output.report(error, json=call.json)
        except KeyboardInterrupt:
            output.note([line("Interrupted; what you said is kept.")])


def _turn(conversation: Conversation, said: str, call: Call) -> None:
    from vademecum.surfaces.rendering.lines import block  # noqa: PLC0415  as above
    from vademecum.surfaces.rendering.visible import visible  # noqa: PLC0415  as above

    spoken = conversation.say(said)
    if call.json:
        output.show_json(spoken, one_row=True)
    else:
        output.write(block(visible(spoken.reply)), sys.stdout)
    output.note(_told(conversation.settle()))


def _told(done: Settled) -> Iterator[Line]:
    from vademecum.surfaces.rendering.lines import line  # noqa: PLC0415  as above

    if done.flushed is not None:
        yield line(f"Written down before the window is full: {done.flushed}.")
    if done.missed:
        yield line("The model did not say what lasts; it is taken from the transcript.")
    if done.compacted is not None:
        yield line(f"The window was compacted; it has {done.compacted:,} tokens now.")


def _line() -> str | None:
    """Return the next line of input, None at its end."""
    if sys.stdin is None:
        return None
    if not sys.stdin.isatty():
        read = sys.stdin.buffer.readline()
        return read.decode("utf-8", "replace").rstrip("\r\n") if read else None
    import readline  # noqa: F401, PLC0415  gives the prompt its editing keys

    try:
        return input("> ")
    except EOFError:
        return None
