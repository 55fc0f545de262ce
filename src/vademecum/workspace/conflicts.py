"""Conflict records: versions that could not be merged, kept where a person finds them."""

from __future__ import annotations

import os
import secrets

from vademecum.core.changes import Effect, Signature
from vademecum.core.ids import new_entry_id
from vademecum.core.patterns import later
from vademecum.workspace.beneath import Root
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.records import Records, planned
from vademecum.workspace.temporary import draft

FOLDER = ".vade/conflicts"
"""In the workspace, so that it travels with the files; a dot-folder, so that no index reads it."""
_LONGEST_STEM = 160
_NOT_PORTABLE = later(r'[<>:"|?*\x00-\x1f\x7f]')
VERB = "conflict"


def keep_version(
    root: Root, records: Records, path: str, content: bytes, signature: Signature, why: str
) -> str:
    """Write `content`, a version of `path`, to a new conflict record; return the record's path.

    It holds the version's bytes unchanged. Raises what any write raises.
    """
    stem = stem_of(path)
    moment = signature.at.strftime("%Y%m%d-%H%M%S")
    digest = records.blobs.put(content)
    record = _write(root, f"{FOLDER}/{stem}.conflict-{moment}", content)
    signed = Signature(
        new_entry_id(signature.at), signature.at, signature.actor, VERB, why, "", signature.id
    )
    change = planned(signed, Effect.CREATE, record, "", digest)
    records.complete(Intent(change), change)
    return record


def stem_of(path: str) -> str:
    """Return how the names of all conflict records of a file begin, up to `.conflict-`."""
    stem = _NOT_PORTABLE.sub("-", path.removesuffix(".md").replace("/", "--"))
    return stem.encode()[-_LONGEST_STEM:].decode(errors="ignore").lstrip(". ")


def _write(root: Root, stem: str, content: bytes) -> str:
    while True:
        record = f"{stem}-{secrets.token_hex(2)}.md"
        with root.place(record, create=True) as place, translated(record, "write"):
            try:
                with draft(place, content) as made:
                    made.publish(place.name)
            except FileExistsError:
                continue  # another record of this second has that name
            os.fsync(place.folder)
        return record
