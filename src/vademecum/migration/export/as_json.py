"""A workspace as JSON: one object a note, with its properties, claims, entries, links and text.

A path that ends in `.jsonl` gets a line for each object, the head first; any other one document
with the same objects under `notes`. Either is written note by note.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import BinaryIO

from vademecum.core.claims import Claim
from vademecum.core.entries import Entry
from vademecum.core.notes import Link
from vademecum.core.roles import Role
from vademecum.markdown.days import day_in_name
from vademecum.markdown.entries import read_entries
from vademecum.markdown.links import Catalogue, candidates
from vademecum.migration.export.going_out import (
    Leaving,
    Progress,
    Told,
    catalogue_of,
    claims_of,
    leaving,
    paths_out,
)
from vademecum.workspace.workspace import Workspace

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
VERSION = 1


def head_of(workspace: Workspace) -> bytes:
    """Return what every export of this workspace as JSON begins with."""
    fields: dict[str, Json] = {
        "format": "vademecum-export",
        "version": VERSION,
        "workspace": workspace.id,
    }
    return _written(fields)[:-1]


def write_json(
    workspace: Workspace, out: BinaryIO, told: Told, progress: Progress, *, lines: bool
) -> None:
    """Write head and notes. Raises StorageFailed."""
    paths = paths_out(workspace, told)
    catalogue = catalogue_of(workspace, paths, progress)
    head: dict[str, Json] = {
        "profile": workspace.profile.name,
        "zone": workspace.zone.key,
        "exported": workspace.clock.now().isoformat(timespec="seconds"),
    }
    out.write(head_of(workspace) + b"," + _written(head)[1:-1])
    out.write(b"}\n" if lines else b',"notes":[\n')
    first = True
    for one in leaving(workspace, paths, told, progress):
        claims = claims_of(workspace, one)
        told.claims += len(claims)
        if not first and not lines:
            out.write(b",\n")
        first = False
        out.write(_written(_note(workspace, one, claims, catalogue)))
        if lines:
            out.write(b"\n")
    if not lines:
        out.write(b"\n]}\n")


def _note(
    workspace: Workspace, one: Leaving, claims: tuple[Claim, ...], catalogue: Catalogue
) -> dict[str, Json]:
    note, properties = one.note, one.note.properties
    day = workspace.profile.day_of(one.path)
    if day is None and one.role is Role.ARCHIVE:
        day = day_in_name(one.path)
    entries = read_entries(one.path, one.text, day) if day is not None else ()
    return {
        "path": one.path,
        "role": one.role.value,
        "title": note.title,
        "day": _day(note.date),
        "properties": {
            key: value if isinstance(value, str) else list[Json](value)
            for key, value in properties.values.items()
        },
        "claims": [_claim(claim) for claim in claims],
        "entries": [_entry(entry) for entry in entries],
        "links": list[Json](_links(one, catalogue)),
        "text": one.text,
    }


def _claim(claim: Claim) -> dict[str, Json]:
    return {
        "id": claim.id,
        "text": claim.text,
        "tag": claim.tag.value,
        "since": _day(claim.since),
        "until": _day(claim.until),
        "struck": claim.struck,
        "conflict": claim.conflict,
        "superseded_by": claim.superseded_by,
        "evidence": list[Json](claim.evidence),
        "slot": claim.slot,
        "start": claim.span.first,
        "end": claim.span.last,
    }


def _entry(entry: Entry) -> dict[str, Json]:
    return {
        "day": entry.day.isoformat(),
        "time": entry.time,
        "title": entry.title,
        "body": entry.body,
        "start": entry.span.first,
        "end": entry.span.last,
    }


def _links(one: Leaving, catalogue: Catalogue) -> Iterator[dict[str, Json]]:
    for link in one.note.links:
        yield _link(link, candidates(link.target, one.path, catalogue))


def _link(link: Link, found: tuple[str, ...]) -> dict[str, Json]:
    return {
        "target": link.target,
        "anchor": link.anchor,
        "wiki": link.wiki,
        "line": link.line,
        "to": found[0] if len(found) == 1 else None,
    }


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _written(fields: dict[str, Json]) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
