"""How memory stands, as text: status, sync and configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vademecum.surfaces.rendering.answers import degradations, plural
from vademecum.surfaces.rendering.lines import Line, columns, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.granting import Granted
    from vademecum.service.memory import SettingRow, SyncReport
    from vademecum.service.standing import Standing, Temperatures

_SHOWN = 20
"""Skipped files listed on a terminal; JSON has them all."""


def status(report: Standing) -> Iterator[Line]:
    """Yield where everything is and what the index holds, then what is amiss."""
    yield from columns(_facts(report), styles=("faint", ""))
    for skipped in report.skipped[:_SHOWN]:
        yield line("skipped  ", (visible(skipped.path), "place"), f"  {one_line(skipped.reason)}")
    if len(report.skipped) > _SHOWN:
        yield line(f"… and {len(report.skipped) - _SHOWN:,} more; --json lists all")
    yield from degradations(report.degraded)
    if report.temperatures is not None:
        yield from _temperatures(report.temperatures)


_WARMTH = {"hot": "bad", "warm": "warning", "cold": "place"}


def _temperatures(found: Temperatures) -> Iterator[Line]:
    yield line((f"{found.hot:,} hot, {found.warm:,} warm, {found.cold:,} cold", "strong"))
    if not found.notes:
        return
    for one, row in zip(found.notes, columns(_measured(found)), strict=True):
        pieces = [
            (text, _WARMTH[one.warmth] if not at else "") for at, (text, _) in enumerate(row.pieces)
        ]
        yield Line(tuple(pieces))
    left = found.hot + found.warm + found.cold - len(found.notes)
    if left:
        yield line(f"… and {left:,} more; -n 0 lists all")


def _measured(found: Temperatures) -> Iterator[tuple[str, ...]]:
    for one in found.notes:
        yield (
            f"{one.value:.2f} {one.warmth}",
            visible(one.path),
            f"age {one.age:.2f} ({one.days:,} d)",
            f"references {one.referred:.2f} ({one.references:,})",
            f"priority {one.worth:.2f} ({one.priority})",
        )


def _facts(report: Standing) -> list[tuple[str, str]]:
    coverage = report.coverage
    return [
        ("workspace", visible(report.root)),
        ("profile", report.profile),
        ("zone", f"{report.zone} ({report.now.strftime('%Y-%m-%d %H:%M')})"),
        ("state", visible(report.state)),
        ("notes", f"{coverage.notes_on_disk:,} on disk, {coverage.notes_indexed:,} indexed"),
        ("behind", _behind(report)),
        ("chunks", f"{coverage.chunks:,}, {coverage.chunks_embedded:,} embedded"),
        ("embedder", visible(report.embedder) or "none, by configuration"),
        ("index", f"{report.index_bytes / 1_000_000:.1f} MB, {_synced_at(report)}"),
        ("running", _running(report)),
        *_shared(report.sharing),
        *([("git", one_line(report.git))] if report.git else []),
        ("skipped", plural(coverage.skipped, "file")),
    ]


def _shared(sharing: Granted) -> Iterator[tuple[str, str]]:
    if sharing.agent:
        yield "agent", sharing.agent
    if readers := dict.fromkeys(one.reader for one in sharing.given if one not in sharing.past):
        yield "read by", ", ".join(readers)
    if sharing.received:
        yield "reads", ", ".join(dict.fromkeys(one.owner for one in sharing.received))


def _behind(report: Standing) -> str:
    parts = ((report.new, "new"), (report.changed, "changed"), (report.gone, "gone"))
    said = ", ".join(f"{count:,} {word}" for count, word in parts if count)
    return f"{said}; searching reads them first" if said else "nothing; the index has every note"


def _synced_at(report: Standing) -> str:
    if report.last_sync is None:
        return "never synced"
    return f"last synced {report.last_sync.strftime('%Y-%m-%d %H:%M:%S')}"


def _running(report: Standing) -> str:
    running = [
        name for name, runs in (("indexer", report.indexing), ("watcher", report.watching)) if runs
    ]
    return ", ".join(running) or "neither indexer nor watcher"


def settings(rows: Sequence[SettingRow]) -> Iterator[Line]:
    """Yield one row for each setting: name, value, where the value comes from."""
    cells = [(row.key, one_line(str(row.value)), str(row.origin)) for row in rows]
    yield from columns(cells, styles=("strong", "", "faint"))


def synced(report: SyncReport) -> Iterator[Line]:
    """Yield what a sync saw and did, in one line unless something is amiss."""
    if not report.elected:
        yield line(("Another process is indexing; nothing was done.", "warning"))
        return
    done = [
        f"{count:,} {word}"
        for count, word in (
            (report.added, "added"),
            (report.changed, "changed"),
            (report.removed, "removed"),
            (report.embedded.done if report.embedded else 0, "embedded"),
        )
        if count
    ]
    yield line(f"{plural(len(report.scan.files), 'note')}: {', '.join(done) or 'nothing changed'}.")
    if report.rebuilt:
        yield line(("made anew: ", "warning"), one_line(report.rebuilt))
    if report.remaining:
        yield line((f"{plural(report.remaining, 'note')} not read yet; sync again.", "warning"))
    if report.embedded and report.embedded.remaining:
        left = plural(report.embedded.remaining, "chunk")
        yield line((f"{left} without a vector; found by words meanwhile.", "warning"))
    for item in (*report.unreadable, *report.defective)[:_SHOWN]:
        yield line("amiss  ", (visible(item.path), "place"), f"  {one_line(item.reason)}")
    yield from degradations(report.degraded)


def sync_fields(report: SyncReport) -> dict[str, object]:
    """Return what JSON tells of a sync: counts instead of the whole scan."""
    return {
        "elected": report.elected,
        "notes": len(report.scan.files),
        "added": report.added,
        "changed": report.changed,
        "moved": report.moved,
        "touched": report.touched,
        "removed": report.removed,
        "remaining": report.remaining,
        "embedded": report.embedded.done if report.embedded else 0,
        "without_vector": report.embedded.remaining if report.embedded else None,
        "unreadable": report.unreadable,
        "defective": report.defective,
        "rebuilt": report.rebuilt,
        "degraded": report.degraded,
    }
