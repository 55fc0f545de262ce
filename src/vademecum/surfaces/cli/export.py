"""`vade export`: write memory for others to read."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb

_FORMS = ("okf", "obsidian", "json")


@verb(
    "export",
    example="vade export ~/bundle --to okf\n"
    "vade export ~/vaults/memory --to obsidian\n"
    "vade export memory.jsonl --to json",
    exits=(2, 3, 4, 5),
)
@click.argument("destination", metavar="DEST")
@click.option(
    "--to",
    "form",
    type=click.Choice(_FORMS),
    required=True,
    help="okf: an Open Knowledge Format 0.1 bundle; obsidian: a vault; json: notes as data.",
)
@pass_call
def command(call: Call, destination: str, form: str) -> None:
    """Write the whole memory to DEST, a folder outside of the workspace, or for JSON a file.

    DEST appears whole or not at all. An earlier export of this workspace that nobody changed is
    replaced; anything else that is there is left as it is. Notes and the archive go out; what is in
    quarantine, other hidden folders and credentials do not. A JSON file that ends in .jsonl has a
    line for each note, any other is one document.
    """
    from vademecum.surfaces.rendering.moving import exported  # noqa: PLC0415  not for `--help`

    with call.memory() as memory, Progress() as progress:
        done = memory.export(destination, form=form, progress=progress)
    output.show(done, exported(done), json=call.json)
