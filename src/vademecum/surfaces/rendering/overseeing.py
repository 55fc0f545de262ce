"""What overseeing memory says, as text: forgetting, taking back, Git, merging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.files import written
from vademecum.surfaces.rendering.lines import Line, columns, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.merging import MergedFile
    from vademecum.service.overseeing import Forgotten, GitStanding, GitSynced, Undone


def forgotten(done: Forgotten) -> Iterator[Line]:
    """Yield every place, then what remains and what was looked through again."""
    for place in done.places:
        named = f" ^{place.claim}" if place.claim else ""
        yield line(
            (str(place.standing.value), "warning"),
            "  ",
            (visible(str(place.span)), "place"),
            (named, "faint"),
            f"  {one_line(place.text)}" if place.text else "",
        )
    if done.needs_ids:
        yield line("Nothing was changed. Name what to forget: an ^id, or PATH:LINE.")
        return
    if not done.stone:
        yield line(f"{plural(len(done.places), 'place')} would be forgotten; nothing was changed.")
        return
    if done.files:
        told = f"forgotten in {plural(len(done.files), 'file')}"
        yield line((told, "good"), (f"  {done.stone}", "faint"))
    if done.versions or not done.files:
        yield line(f"{plural(done.versions, 'old version')} removed for good.")
    for told in done.proof:
        yield line(("proof  ", "good"), one_line(told))
    for remains in done.remains:
        yield line(("remains  ", "warning"), (visible(remains.where), "place"))
        yield line(one_line(remains.remedy), indent=3)


def undone(done: Undone) -> Iterator[Line]:
    """Yield what was taken back, newest first, and what was left."""
    for item in done.written:
        yield from written(item, "took back")
    for left in done.left:
        yield line(("left  ", "warning"), one_line(left.why))
        if left.kept:
            yield line(f"the version from before is in {visible(left.kept)}", indent=3)
    if not done.written and not done.left:
        yield line("Nothing had to be taken back.")


def git_standing(report: GitStanding) -> Iterator[Line]:
    """Yield what was changed, then how memory stands with Git."""
    for told in report.did:
        yield line(("did  ", "good"), one_line(told))
    yes = {True: "yes", False: "no"}
    waits = plural(report.waiting, "write")
    rows = [
        ("repository", visible(report.repository) or f"none: {one_line(report.why)}"),
        ("merge driver", f"{yes[report.driver]}, in this clone"),
        ("attributes", f"{yes[report.attributes]}, in .gitattributes"),
        ("commits", yes[report.commits]),
        ("waiting", f"{waits}: {one_line(report.why)}" if report.why else waits),
    ]
    yield from columns(rows, styles=("faint", ""))


def git_synced(done: GitSynced) -> Iterator[Line]:
    """Yield what was or would be committed, received and sent, then what a person has to rule."""
    yield line(("would sync with  " if done.dry_run else "synced with  ", "good"), done.remote)
    here = plural(done.committed, "change" if done.dry_run else "commit")
    rows = [
        ("here", f"{here} of what was written"),
        ("by hand", plural(len(done.edits), "note")),
        ("received", f"{plural(done.received, 'commit')}, {plural(len(done.files), 'file')}"),
        ("sent", plural(done.sent, "commit")),
    ]
    yield from columns(rows, styles=("faint", ""))
    for path, told in done.conflicts:
        yield line(("conflict  ", "warning"), (visible(path), "place"), f"  {one_line(told)}")
    for record in done.kept:
        yield line(("kept  ", "warning"), (visible(record), "place"))
    for path, why in done.left_out:
        yield line(("left out  ", "warning"), (visible(path), "place"), f"  {one_line(why)}")
    if done.conflicts or done.kept:
        yield line("Rule them when you like: vade review.")


def merged_file(done: MergedFile) -> Iterator[Line]:
    """Yield the conflicts that a person has to rule; nothing where there are none."""
    for told in done.conflicts:
        yield line(("conflict  ", "warning"), (visible(done.path), "place"), f"  {one_line(told)}")
