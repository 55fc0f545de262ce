"""`vade now`: show, set or edit NOW.md, the workbench."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vademecum.core.changes import Written
from vademecum.core.errors import BadInput
from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.texts import joined
from vademecum.surfaces.cli.verb import Call, pass_call, verb

if TYPE_CHECKING:
    from vademecum.service.memory import Memory


@verb(
    "now",
    example='vade now\nvade now set "Waiting for the review of the API draft"\n'
    'vade now edit --replace "Waiting for" --by "Working in"',
    exits=(2, 3, 4, 5),
)
@click.argument("action", type=click.Choice(["show", "set", "edit"]), default="show")
@click.argument("text", nargs=-1)
@click.option("--replace", "old", metavar="OLD", help="edit: the text to replace, found once.")
@click.option("--by", "new", metavar="NEW", help="edit: what takes its place.")
@pass_call
def command(
    call: Call, action: str, text: tuple[str, ...], old: str | None, new: str | None
) -> None:
    """Show NOW.md, set it to TEXT (`-` reads standard input), or edit it.

    It is the only file that may be overwritten whole; `vade undo` brings an earlier version back.
    `edit` without options opens your editor.
    """
    from vademecum.surfaces.rendering import answers, files  # noqa: PLC0415  not for `--help`

    _check(action, text, old, new)
    with call.memory() as memory:
        if action != "show":
            done = memory.now(joined(text)) if action == "set" else _edit(memory, old, new)
            output.show(done, files.written(done, "written"), json=call.json)
            return
        excerpt = memory.now()
    if call.json:
        output.show_json(excerpt)
    elif sys.stdout.isatty():
        output.write(answers.excerpt(excerpt), sys.stdout)
    else:
        output.show_bytes(excerpt.content)


def _check(action: str, text: tuple[str, ...], old: str | None, new: str | None) -> None:
    if action == "set" and not text:
        raise BadInput(
            "`vade now set` needs a text.", hint='Try: vade now set "…", or - for a pipe.'
        )
    if action != "set" and text:
        raise BadInput(f"`vade now {action}` takes no text.", hint="Only `vade now set` does.")
    if (old is None) != (new is None) or (old is not None and action != "edit"):
        raise BadInput("--replace and --by go together, with `edit`.")


def _edit(memory: Memory, old: str | None, new: str | None) -> Written:
    """Edit in place by text, or in the person's editor."""
    if old is not None and new is not None:
        return memory.now(new, replacing=old)
    before = memory.now(limit=0)
    after = click.edit(before.text, extension=".md", require_save=True)
    if after is None or after == before.text:
        return Written("", before.span.path, 0, 0, before.digest)
    return memory.now(after, base=before.digest)
