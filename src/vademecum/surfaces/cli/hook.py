"""`vade hook`: answer one event of a coding agent."""

from __future__ import annotations

import click

from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "hook",
    example="vade hook claude-code SessionStart < event.json",
    exits=(0,),
)
@click.argument("host", default="")
@click.argument("event", default="")
@pass_call
def command(call: Call, host: str, event: str) -> int:
    """Answer EVENT of HOST: its JSON on standard input, the answer on standard output.

    Hosts call it; `vade install` sets that up. It ends with 0 whatever happens, prints at most
    9,500 characters, and prints nothing where there is nothing to say; what went wrong is in
    `hooks.log` of the state directory. Hosts are claude-code, codex, gemini, opencode, cursor and
    vscode, and claude-format for a plugin that several load.
    """
    from vademecum.surfaces.hooks import arguments, run  # noqa: PLC0415  not for `--help`

    return run.run(arguments.HookCall(host, event, call.workspace, call.agent))
