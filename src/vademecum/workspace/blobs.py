"""Versions of files by their digest: what was displaced, and what was added."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from vademecum.core.errors import Unreadable
from vademecum.core.ids import digest_of
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, sync_folder, write_whole

_RAW, _COMPRESSED = b"r", b"z"
_WORTH_COMPRESSING = 200


class Blobs:
    """A directory of immutable contents, each under its digest.

    Several processes may put and get at once; a content is there whole or not at all.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def put(self, content: bytes, *, durable: bool = True) -> str:
        """Store `content` and return its digest.

        With `durable` it survives a loss of power once this returns. Without, only the death of
        the process: for contents that are also durable elsewhere.
        Raises StateUnwritable, DiskFull.
        """
        digest = digest_of(content)
        path = self._path(digest)
        with state_translated(path):
            if self._read(path, digest) is None:
                self._write(path, content, durable=durable)
            elif durable:
                _sync(path)
        return digest

    def get(self, digest: str) -> bytes:
        """Return the content with that digest.

        Raises Unreadable when it is not stored or what is stored is damaged.
        """
        content = self._read(self._path(digest), digest)
        if content is None:
            raise Unreadable(
                f"The version {digest} is not among the stored ones, or it is damaged.",
                hint="Look for it in Git's history or in a backup of the state directory.",
            )
        return content

    def has(self, digest: str) -> bool:
        """Whether `get` would return the content: it is stored and undamaged."""
        return self._read(self._path(digest), digest) is not None

    def remove(self, digest: str) -> bool:
        """Forget the content for good; return whether it was there."""
        path = self._path(digest)
        with state_translated(path):
            try:
                path.unlink()
            except FileNotFoundError:
                return False
        return True

    def _path(self, digest: str) -> Path:
        return self.directory / digest[:2] / digest[2:]

    def _read(self, path: Path, digest: str) -> bytes | None:
        try:
            stored = path.read_bytes()
        except OSError:
            return None
        content = _unpacked(stored)
        return content if content is not None and digest_of(content) == digest else None

    def _write(self, path: Path, content: bytes, *, durable: bool) -> None:
        make_folders(path.parent)
        write_whole(path, _packed(content), durable=durable)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(path.parent)


def _packed(content: bytes) -> bytes:
    if len(content) >= _WORTH_COMPRESSING:
        smaller = zlib.compress(content, 6)
        if len(smaller) < len(content):
            return _COMPRESSED + smaller
    return _RAW + content


def _unpacked(stored: bytes) -> bytes | None:
    kind, rest = stored[:1], stored[1:]
    if kind == _RAW:
        return rest
    if kind == _COMPRESSED:
        try:
            return zlib.decompress(rest)
        except zlib.error:
            return None
    return None
