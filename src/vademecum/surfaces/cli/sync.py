"""`vade sync`: bring the index up to date with the files."""

from __future__ import annotations

import click

from vademecum.surfaces.cli import output
from vademecum.surfaces.cli.progress import Progress
from vademecum.surfaces.cli.verb import Call, pass_call, verb


@verb(
    "sync", example="vade sync\nvade sync memory/2026-01-20.md --keyword-only", exits=(2, 3, 5, 6)
)
@click.argument("paths", nargs=-1)
@click.option(
    "--keyword-only",
    "--no-vectors",
    "keyword_only",
    is_flag=True,
    help="Leave vectors for later; the next sync makes them.",
)
@pass_call
def command(call: Call, paths: tuple[str, ...], keyword_only: bool) -> None:
    """Bring the index up to date with the files, or with PATHS only.

    Words are searchable first, meaning follows, newest notes first. An interrupted run loses
    nothing; the next one goes on where it stopped.
    """
    from vademecum.surfaces.rendering.health import (  # noqa: PLC0415  not for `--help`
        sync_fields,
        synced,
    )

    with call.memory() as memory, Progress() as progress:
        report = memory.sync(paths, vectors=not keyword_only, progress=progress)
    output.show(sync_fields(report), synced(report), json=call.json)
