"""`vade forget`: take a fact out of everything, with proof."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "forget",
    example='vade forget "the vault code is 4711" --dry-run\n'
    'vade forget ^c7f3a1 memory/2026-01-20.md:12 --purge --reason "a credential"',
    exits=(2, 3, 4, 5),
)
@click.argument("target", nargs=-1, required=True, metavar="^ID|PATH:LINES|TEXT...")
@click.option("--purge", is_flag=True, help="Remove old versions too; cannot be undone.")
@click.option("--reason", metavar="WHY", default="", help="Kept beside the tombstone.")
@click.option("--dry-run", is_flag=True, help="List every place; change nothing.")
@pass_call
def command(call: Call, target: tuple[str, ...], purge: bool, reason: str, dry_run: bool) -> None:
    """Forget claims (^ID) or lines (PATH:3-5): in every file, the index, and its vectors.

    What rests on nothing else goes too; in logs and prose the words become `[forgotten ID]`. A
    tombstone without the text keeps it from coming back. Of a TEXT only the places are listed;
    nothing is forgotten before you name ids or lines. What remains is listed, such as Git history.
    Without --purge `vade undo ID` takes it back, until `vade forget ID --purge` is run.
    """
    from vademecum.surfaces.rendering.overseeing import forgotten  # noqa: PLC0415  not for --help

    with call.memory() as memory:
        done = memory.forget(target, purge=purge, reason=reason, dry_run=dry_run)
    output.show(done, forgotten(done), json=call.json)
