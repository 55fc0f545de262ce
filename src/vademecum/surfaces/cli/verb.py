"""What every command shares: the global options, its example and its exit codes in the help."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.surfaces.cli.exits import MEANING

if TYPE_CHECKING:
    from vademecum.core.ports import Clock, Embedder
    from vademecum.service.memory import Memory


@dataclass(slots=True)
class Call:
    """What the global options of one command line say, wherever on it they stand."""

    workspace: str | None = None
    agent: str | None = None
    json: bool = False
    traceback: bool = False
    clock: Clock | None = None
    """Only tests set it, as they do `embedder`."""
    embedder: Embedder | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person calls: no agent is named, here or by the environment."""
        from vademecum.service.opening import is_person  # noqa: PLC0415  as below

        return is_person(self.agent)

    def memory(self, profile: str | None = None) -> Memory:
        """Open the memory that the command is about, as the named profile reads it if one is."""
        from vademecum.service.memory import open_memory  # noqa: PLC0415  `--help` needs none

        return open_memory(
            self.workspace,
            agent=self.agent,
            profile=profile,
            clock=self.clock,
            embedder=self.embedder,
        )

    def owned(self, owner: str) -> Memory:
        """Open the memory of a registered agent, in its name, for it to grant or revoke.

        Raises AgentNotFound, and Sealed where the call is made in the name of another agent.
        """
        from vademecum.service.memory import open_memory  # noqa: PLC0415  as above
        from vademecum.service.opening import registered_name  # noqa: PLC0415  as above

        name = registered_name(owner, self.agent)
        return open_memory(self.workspace, agent=name, clock=self.clock, embedder=self.embedder)


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Store a global option; an option that was not given never takes back one that was."""
    call = context.ensure_object(Call)
    if value and parameter.name is not None:
        setattr(call, parameter.name, value)


def global_options() -> list[click.Parameter]:
    """Return fresh copies of the options that every command takes, before or after its name."""
    return [
        click.Option(
            ["--workspace", "-w"],
            metavar="PATH",
            callback=_keep,
            expose_value=False,
            is_eager=True,
            help="The workspace; else $VADE_WORKSPACE, else the nearest one here or above.",
        ),
        click.Option(
            ["--agent"],
            metavar="NAME",
            callback=_keep,
            expose_value=False,
            is_eager=True,
            help="In whose name to read and write; a registered agent has its own workspace.",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            callback=_keep,
            expose_value=False,
            is_eager=True,
            help="Print one JSON document, errors included.",
        ),
        click.Option(
            ["--traceback"],
            is_flag=True,
            hidden=True,
            callback=_keep,
            expose_value=False,
            is_eager=True,
            help="Show where an error comes from.",
        ),
    ]


_MARK = "\0"
"""No argument of a process holds it."""
_TEXT = later(rf"-+\s|{_MARK}")
"""How texts begin that a parser of options would stumble over: no option has a blank there."""


def _hidden(argument: str) -> str:
    return f"{_MARK}{argument}" if _TEXT.match(argument) else argument


def _shown(value: Any) -> Any:
    """Return a parsed value as it was given: a text, several, or anything else."""
    if isinstance(value, str):
        return value.removeprefix(_MARK)
    return type(value)(map(_shown, value)) if isinstance(value, list | tuple) else value


class VerbCommand(click.Command):
    """A command of `vade`: takes the global options too and shows example and exit codes."""

    def __init__(self, *args: Any, example: str = "", exits: tuple[int, ...] = (), **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.example = example
        self.exits = exits
        self.params += global_options()

    def make_parser(self, ctx: click.Context) -> Any:
        """Return the parser of this command, to which a text that begins with `- ` is a text."""
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> tuple[Any, Any, Any]:
            values, rest, order = parse(args=list(map(_hidden, args)))
            return {key: _shown(one) for key, one in values.items()}, _shown(rest), order

        parser.parse_args = parse_args  # type: ignore[method-assign]  # how click calls it
        return parser

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example and the exit codes below the options."""
        del ctx
        write_epilog(formatter, self.example, self.exits)


def write_epilog(formatter: click.HelpFormatter, example: str, exits: tuple[int, ...]) -> None:
    """Write an example and a table of exit codes."""
    if example:
        with formatter.section("Example"):
            for row in example.strip().split("\n"):
                formatter.write(f"{'':>{formatter.current_indent}}{row}\n")
    if exits:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), MEANING[code]) for code in exits])


def verb(
    name: str, *, example: str, exits: tuple[int, ...]
) -> Callable[[Callable[..., Any]], VerbCommand]:
    """Return a decorator that makes a function the command `name`.

    `exits` names the codes it can end with beside 0, 1 and 130.
    """
    return click.command(
        name, cls=VerbCommand, example=example, exits=tuple(sorted({0, 1, 130, *exits}))
    )


pass_call = click.make_pass_decorator(Call, ensure=True)
