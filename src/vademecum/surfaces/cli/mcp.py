"""`vade mcp`: serve memory to models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vademecum.core.errors import BadInput, WorkspaceNotFound
from vademecum.core.frozen import dataclass
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.service.memory import Memory

PORT = 8427
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@verb(
    "mcp",
    example="vade mcp\nvade mcp --http --port 8427\nclaude mcp add memory -- vade mcp",
    exits=(2, 3, 5),
)
@click.option("--http", is_flag=True, help="Listen for HTTP instead of serving standard streams.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    metavar="N",
    help=f"The port of --http; {PORT} without it, 0 takes a free one.",
)
@click.option(
    "--host",
    default=None,
    metavar="ADDRESS",
    help="The address of --http; 127.0.0.1 without it: this machine only.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A further host name under which --http answers; may be repeated.",
)
@pass_call
def command(
    call: Call, http: bool, port: int | None, host: str | None, allow_host: tuple[str, ...]
) -> None:
    """Serve memory to models over the Model Context Protocol, until the client ends it.

    Over standard input and output, as clients start it; or with --http at an address that is
    printed, where each request needs the bearer token from the file that is printed too. The
    workspace is opened at the first call. Writes are in the client's name, or in --agent's.
    """
    if not http:
        if port is not None or host is not None or allow_host:
            raise BadInput("--port, --host and --allow-host belong to --http.")
        bound = _bound(call)
        from vademecum.surfaces.mcp.stdio import serve  # noqa: PLC0415  `--help` needs no protocol

        serve(lambda client: _opened(call, bound, client))
        return
    _serve_http(call, host or _LOOPBACK[0], PORT if port is None else port, allow_host)


def _serve_http(call: Call, host: str, port: int, names: tuple[str, ...]) -> None:
    bound = _bound(call)
    from vademecum.service.access import access  # noqa: PLC0415  as above
    from vademecum.surfaces.mcp import http  # noqa: PLC0415  as above
    from vademecum.surfaces.rendering.lines import line  # noqa: PLC0415  as above

    found = access(bound.workspace, agent=bound.agent)

    def announce(address: str) -> None:
        lines = [line("serving ", (address, "place")), line("token in ", (found.file, "place"))]
        output.show({"address": address, "token_file": found.file}, lines, json=call.json)
        if host not in _LOOPBACK:
            output.note([line(("Other machines can reach this; the token is all they need.", ""))])

    http.serve(
        lambda client: _opened(call, bound, client),
        http.Place(host, port, names),
        found.token,
        announce,
    )


@dataclass(frozen=True, slots=True)
class _Bound:
    """The workspace and the agent that a server speaks for until it ends."""

    workspace: str | None
    agent: str | None


def _bound(call: Call) -> _Bound:
    """Return what this server is bound to; a workspace that is still to be made is found later."""
    from vademecum.service.opening import caller_of  # noqa: PLC0415  as above

    try:
        caller = caller_of(call.workspace, call.agent)
    except WorkspaceNotFound:
        return _Bound(call.workspace, call.agent)
    return _Bound(str(caller.root), caller.name or None)


def _opened(call: Call, bound: _Bound, client: str) -> Memory:
    """Open the memory in the name of a client; what it writes is one session."""
    import secrets  # noqa: PLC0415  as above

    from vademecum.service.memory import open_memory  # noqa: PLC0415  as above

    def opened(settings: dict[str, str]) -> Memory:
        return open_memory(
            bound.workspace,
            agent=bound.agent,
            actor=bound.agent or client,
            clock=call.clock,
            embedder=call.embedder,
            settings=dict(settings),
        )

    memory = opened({})
    if any(row.key == "actor.session" and row.value for row in memory.config()):
        return memory
    memory.close()
    return opened({"actor.session": f"mcp-{secrets.token_hex(6)}"})
