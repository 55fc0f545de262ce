"""The command `vade`: finds the verb, loads only it, and translates every error once."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from vademecum import __version__
from vademecum.core.errors import BadInput, DiskFull, StorageFailed, Unreadable, VademecumError
from vademecum.surfaces.cli import exits, output
from vademecum.surfaces.cli.verb import Call, global_options, write_epilog

_SECTIONS: dict[str, dict[str, str]] = {
    "Write": {
        "init": "Make a directory a workspace; adds only what is missing.",
        "log": "Append an event to today's log.",
        "remember": "Write a claim where it belongs, and say what it replaced.",
        "now": "Show, set or edit NOW.md, the workbench.",
        "undo": "Take back a write, a session, or all that an actor wrote.",
        "forget": "Take a fact out of everything, with proof.",
        "migrate": "Move in what another system left, line by line.",
        "export": "Write memory for others to read: OKF, Obsidian, JSON.",
    },
    "Read": {
        "recall": "Answer a question with a few cited sources.",
        "search": "List the places in memory that match.",
        "get": "Print exact lines of a file.",
        "history": "List what was written, by whom and when.",
    },
    "Sessions": {
        "boot": "Print what a fresh context window opens with.",
        "flush": "Write down what lasts before a window is compacted.",
        "compact": "Put a summary in the place of a window's early turns.",
        "hook": "Answer one event of a coding agent; hosts call it.",
    },
    "Keep": {
        "heartbeat": "Bring log, claims and NOW.md up to what happened.",
        "reflect": "Look back on a day, and write back what it taught.",
        "archive": "Move what has gone cold into the archive, or bring it back.",
        "promote": "Propose what recurs for core memory, or put it there.",
        "review": "Decide what waits for a person: conflicts, candidates, …",
        "sync": "Bring the index up to date with the files.",
        "watch": "Keep the index up to date until stopped.",
        "serve": "Watch, and run each job when it is due, until stopped.",
        "schedule": "Have the system run jobs: install, status, remove.",
        "status": "Show what the index holds and what it lacks.",
        "doctor": "Find defects of files, index and system; mend some.",
        "config": "Show every setting and where its value comes from.",
        "git": "Keep memory as history in a repository.",
        "merge-file": "Merge both sides of a memory file; Git calls it.",
    },
    "Agents": {
        "agents": "List, add, remove or rename the agents of this installation.",
        "grant": "Let one agent read the memory of another.",
        "revoke": "Take back what an agent was granted.",
        "grants": "List who may read this memory, and whose this one may read.",
        "gather": "Log what is new in the memory of other agents.",
        "chat": "Talk to a model that has this memory.",
        "mcp": "Serve memory to models over the Model Context Protocol.",
        "install": "Give a coding agent memory: hooks, server and skill.",
        "uninstall": "Take memory out of a coding agent's configuration.",
    },
}
SUMMARIES = {name: text for section in _SECTIONS.values() for name, text in section.items()}


class Vade(click.Group):
    """The group of all verbs; a verb's module is loaded when the verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every verb, in the order of the help."""
        del ctx
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        del ctx
        if cmd_name not in SUMMARIES:
            return None
        module = importlib.import_module(f"vademecum.surfaces.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that the arguments begin with; suggest the nearest where there is none."""
        if args[0] not in SUMMARIES and not args[0].startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415  only for a slip of the pen

            near = get_close_matches(args[0], SUMMARIES, 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"There is no verb {args[0]!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by what they are for, without loading any."""
        del ctx
        for title, rows in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(rows.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write an example and the exit codes below the verbs."""
        del ctx
        write_epilog(formatter, _EXAMPLE, tuple(exits.MEANING))


_EXAMPLE = """\
vade init notes && cd notes
vade log "Decided on REST over GraphQL" --title "API discussion"
vade recall "which API style did we pick?"\
"""


def _show_version(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    del parameter
    if given:
        click.echo(f"vade {__version__}")
        context.exit()


vade = Vade(
    name="vade",
    params=[
        *global_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version and exit.",
        ),
    ],
    help="Memory for AI agents: plain Markdown, found again in a moment.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command line and end the process with its code; the entry point of `vade`.

    Everything is closed and written by then, so the interpreter is not taken down piece by piece,
    which would take longer than a search.
    """
    gc.set_threshold(50_000, 20, 50)  # most of what a start makes lives until the end
    code = status_of(sys.argv[1:] if arguments is None else list(arguments))
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def status_of(arguments: list[str], call: Call | None = None) -> int:
    """Run one command line and return its exit code; every error has been reported by then."""
    output.prepare_streams()
    arguments = arguments or ["--help"]
    call = call or Call()
    try:
        result = vade.main(arguments, prog_name="vade", standalone_mode=False, obj=call)
        return result if isinstance(result, int) else exits.OK
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (click.Abort, KeyboardInterrupt):
        return exits.INTERRUPTED
    except click.ClickException as error:
        return _ended(_usage_error(error), call, arguments)
    except VademecumError as error:
        return _ended(error, call, arguments)
    except OSError as error:
        return _ended(_system_error(error), call, arguments)
    except Exception as error:  # noqa: BLE001  the edge: a person gets a sentence, not a stack
        told = f"vademecum failed unexpectedly: {type(error).__name__}: {error}"
        hint = "This is a defect of vademecum; repeat with --traceback and report it."
        return _ended(VademecumError(told, hint=hint), call, arguments)


def _ended(error: VademecumError, call: Call, arguments: list[str]) -> int:
    """Report `error` and return its exit code."""
    if call.traceback:
        import traceback  # noqa: PLC0415  only for whoever asks

        traceback.print_exc()
    try:
        output.report(error, json=call.json or "--json" in arguments)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except StorageFailed:  # nothing more can be written there, perhaps still beside it
        with suppress(StorageFailed):
            output.report(error, json=False)
    return error.exit_code


def _usage_error(error: click.ClickException) -> VademecumError:
    """Return what click says about a command line as an error of ours."""
    said = error.format_message()
    if isinstance(error, click.NoSuchOption):
        near = " or ".join(error.possibilities or ())
        said = f"There is no option {error.option_name}." + (f" Did you mean {near}?" * bool(near))
    message = " ".join(said.split()).replace(". Choose from:", ", one of")
    message = message[:1].upper() + message[1:] + ("" if message.endswith((".", "?")) else ".")
    context = getattr(error, "ctx", None)
    name = context.command_path if context else "vade"
    return BadInput(message, hint=f"See `{name} --help`; a text that begins with - goes after --.")


def _system_error(error: OSError) -> VademecumError:
    """Return an error of the system that no layer below has put into words."""
    import errno  # noqa: PLC0415  only when something failed

    where = f" ({error.filename})" if error.filename else ""
    said = f"{error.strerror or error}{where}"
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(f"No space left{where}.", hint="Free some space; nothing was lost.")
    if error.errno in {errno.EACCES, errno.EPERM}:
        return Unreadable(f"{said}.", hint="Check the permissions of the file and its directory.")
    return StorageFailed(f"{said}.")
