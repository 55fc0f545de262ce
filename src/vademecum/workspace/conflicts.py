"""Conflict records: versions that could not be merged, kept where a person finds them."""

from __future__ import annotations

import os
import re
import secrets

from vademecum.core.changes import Effect, Signature
from vademecum.core.ids import new_entry_id
from vademecum.workspace.beneath import Root
from vademecum.workspace.disk_errors import translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.records import Records, planned
from vademecum.workspace.temporary import draft

FOLDER = ".vade/conflicts"
"""In the workspace, so that it travels with the files; a dot-folder, so that no index reads it."""
_LONGEST_STEM = 160
_NOT_PORTABLE = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
VERB = "conflict"


def keep_version(
    root: Root, records: Records, path: str, content: bytes, signature: Signature, why: str
) -> str:
    """Write `content`, a version of `path`, to a new conflict record; return the record's path.

    It holds the version's bytes unchanged. Raises what any write raises.
    """
    stem = _NOT_PORTABLE.sub("-", path.removesuffix(".md").replace("/", "--"))
    stem = stem.encode()[-_LONGEST_STEM:].decode(errors="ignore").lstrip(". ")
    moment = signature.at.strftime("%Y%m%d-%H%M%S")
    record = f"{FOLDER}/{stem}.conflict-{moment}-{secrets.token_hex(2)}.md"
    digest = records.blobs.put(content)
    with root.place(record, create=True) as place, translated(record, "write"):
        with draft(place, content) as made:
            made.publish(place.name)
        os.fsync(place.folder)
    signed = Signature(
        new_entry_id(signature.at), signature.at, signature.actor, VERB, why, "", signature.id
    )
    change = planned(signed, Effect.CREATE, record, "", digest)
    records.complete(Intent(change), change)
    return record
