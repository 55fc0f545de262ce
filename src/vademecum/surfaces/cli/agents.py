"""`vade agents`: list, add, remove or rename the agents of this installation."""

from __future__ import annotations

import click

from vademecum.core.errors import BadInput
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb

_NAMES = {"list": (0, 0), "add": (1, 2), "remove": (1, 1), "rename": (2, 2)}
_USAGE = {
    "list": "vade agents list",
    "add": "vade agents add NAME [PATH]",
    "remove": "vade agents remove NAME",
    "rename": "vade agents rename OLD NEW",
}


@verb(
    "agents",
    example="vade agents add home ~/agents/home --default\n"
    "vade agents add work ~/agents/work --embedder ollama:nomic-embed-text\n"
    "vade agents add codex --group family\nvade agents list\nvade agents rename work office",
    exits=(2, 3, 4, 5),
)
@click.argument("action", type=click.Choice(list(_NAMES)), default="list")
@click.argument("names", nargs=-1, metavar="[NAME] [PATH|NEW]")
@click.option("--group", default="", metavar="GROUP", help="add: share the memory of this group.")
@click.option(
    "--embedder",
    default="",
    metavar="PROVIDER[:MODEL]",
    help="add: what makes its vectors; else embedder.* of the configuration.",
)
@click.option(
    "--state", default="", metavar="PATH", help="add: where its state is; else state.directory."
)
@click.option("--default", is_flag=True, help="add: meant where no workspace is named or near.")
@pass_call
def command(
    call: Call,
    action: str,
    names: tuple[str, ...],
    group: str,
    embedder: str,
    state: str,
    default: bool,
) -> None:
    """List the registered agents, or change who there is.

    `add` registers a workspace as the memory of an agent: from then on no call in another agent's
    name opens it, not by path either. Members of a group share one workspace. `remove` deletes no
    memory, but ends every grant to and from the agent; `rename` takes its grants along. The
    registry is a file that you may edit too.
    """
    from vademecum.service import enrolling  # noqa: PLC0415  not for `--help`
    from vademecum.surfaces.rendering import agents as told  # noqa: PLC0415  as above

    least, most = _NAMES[action]
    if not least <= len(names) <= most:
        raise BadInput(f"`{_USAGE[action]}` takes other arguments.", hint="See vade agents --help.")
    if action != "add" and (group or embedder or state or default):
        raise BadInput("--group, --embedder, --state and --default go with `add`.")
    if action == "list":
        roster = enrolling.agents(agent=call.agent, clock=call.clock)
        output.show(roster, told.roster(roster), json=call.json)
        return
    if action == "add":
        done = enrolling.add(
            names[0],
            names[1] if len(names) > 1 else call.workspace,
            group=group,
            embedder=embedder,
            state=state,
            default=default,
            agent=call.agent,
        )
    elif action == "remove":
        done = enrolling.remove(names[0], agent=call.agent)
    else:
        done = enrolling.rename(names[0], names[1], agent=call.agent, clock=call.clock)
    output.show(done, told.registered(done, action), json=call.json)
