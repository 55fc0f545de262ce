"""`vade install`: give a coding agent memory."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.surfaces.cli import exits, output
from vademecum.surfaces.cli.program import this_program
from vademecum.surfaces.cli.verb import Call, pass_call, verb

HOSTS = ("claude-code", "codex", "gemini", "opencode", "openclaw", "cursor", "vscode")


@verb(
    "install",
    example="vade install claude-code\nvade install codex --scope project --print",
    exits=(2, 3, 4, 5, exits.DEFECTS),
)
@click.argument("host", type=click.Choice(HOSTS))
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    help="Whose configuration: yours (the default), or that of the project in this directory.",
)
@click.option("--print", "only_print", is_flag=True, help="Print what would go where; do nothing.")
@click.option(
    "--program",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The vade that the host calls; else the one that runs now.",
)
@pass_call
def command(call: Call, host: str, scope: str, only_print: bool, program: Path | None) -> int:
    """Put hooks, MCP server and skill into the configuration of HOST, for one workspace.

    HOST is claude-code, codex, gemini, opencode, openclaw, cursor or vscode. Each file is kept in
    the state directory before its first edit, and only what belongs to vademecum is touched; a
    file that cannot be edited safely is left alone, with what to paste. A second run changes
    nothing. Hook and server are then asked once, as the host would; `vade doctor` does so again.
    """
    from vademecum.service import installing  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering import installing as told  # noqa: PLC0415  as above

    words = (str(program.absolute()),) if program else this_program()
    project = Path.cwd() if scope == "project" else None
    if only_print:
        found = installing.to_paste(
            host, program=words, root=call.workspace, agent=call.agent, project=project
        )
        output.show(found, told.to_paste(found), json=call.json)
        return exits.OK
    done = installing.install(
        host, program=words, root=call.workspace, agent=call.agent, project=project
    )
    output.show(done, told.installed(done), json=call.json)
    return exits.OK if done.works else exits.DEFECTS
