"""The receipt that lies in whatever was exported: whose memory it is, and what each file was.

One row of JSON a file: its path, the path of the note that it was, the digest of its bytes. The
last row seals all before it with a key of this installation, so that a memory that comes back is
told from one that somebody wrote by hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from vademecum.core.frozen import dataclass
from vademecum.core.ids import blake2b
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace

NAME = ".vade-export.jsonl"
VERSION = 1
_KEY = "export-key"
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Row:
    """One file of an export: its path there, the path it had (empty: made for the export)."""

    path: str
    source: str
    digest: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an export says of itself; `sealed`: this installation wrote it, and nobody since."""

    form: str
    workspace: str
    profile: str
    rows: Mapping[str, Row]
    sealed: bool


class Writing:
    """A receipt in the making, row by row."""

    def __init__(self, form: str, workspace: Workspace, at: datetime) -> None:
        self._made = blake2b(key=_key_of(workspace, create=True), digest_size=_KEY_BYTES)
        head = {
            "vade_export": VERSION,
            "form": form,
            "workspace": workspace.id,
            "profile": workspace.profile.name,
            "at": at.isoformat(timespec="seconds"),
        }
        self.head = self._sealed(head)

    def row(self, path: str, source: str, digest: str) -> bytes:
        """Return the line for one file."""
        return self._sealed({"path": path, "from": source, "digest": digest})

    def last(self) -> bytes:
        """Return the line that ends it."""
        return _line({"seal": self._made.hexdigest()})

    def _sealed(self, row: Mapping[str, object]) -> bytes:
        line = _line(row)
        self._made.update(line)
        return line


def read_receipt(data: bytes, workspace: Workspace | None) -> Receipt | None:
    """Return the receipt that `data` is, None where it is none or was cut off.

    Only the installation of a `workspace` tells whether it is sealed.
    """
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    body += b"\n"
    try:
        head, *rows = (json.loads(line) for line in body.splitlines())
        if head["vade_export"] != VERSION:
            return None
        seal = str(json.loads(last)["seal"])
        found = [Row(str(row["path"]), str(row["from"]), str(row["digest"])) for row in rows]
        form, id, profile = (str(head[key]) for key in ("form", "workspace", "profile"))
    except (ValueError, KeyError, TypeError):
        return None
    key = _key_of(workspace, create=False) if workspace is not None else b""
    own = bool(key) and blake2b(body, key=key, digest_size=_KEY_BYTES).hexdigest() == seal
    return Receipt(form, id, profile, {row.path: row for row in found}, own)


def _line(row: Mapping[str, object]) -> bytes:
    return (
        json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        + b"\n"
    )


def _key_of(workspace: Workspace, *, create: bool) -> bytes:
    """Return the key of this installation, which lies beside the state of its workspaces.

    Without `create`, nothing where there is none. Raises StateUnwritable.
    """
    file = workspace.state.parent / _KEY
    with state_translated(file), suppress(FileNotFoundError, NotADirectoryError):
        key = file.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    if not create:
        return b""
    with state_translated(file):
        make_folders(file.parent)
        write_whole(file, os.urandom(_KEY_BYTES), durable=True)
        return file.read_bytes()
