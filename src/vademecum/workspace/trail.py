"""The last writes of each file, to notice when another program saved over them."""

from __future__ import annotations

from pathlib import Path

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.workspace.blobs import Blobs
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.ledger import decode, encode
from vademecum.workspace.paths import key_of
from vademecum.workspace.whole import make_folders, write_whole

_LONGEST_LINE = 16_384
_REMEMBERED = 2000
"""Writes of one file that are watched; a day's log has fewer."""


@dataclass(frozen=True, slots=True)
class Overwritten:
    """A write of ours that the file no longer shows, although nobody took it back."""

    change: Change
    content: bytes
    """What it had added: the bytes of an append, the whole version of a replacement."""
    added: frozenset[bytes]
    """The lines that it had added."""


class Trail:
    """A directory with one file of changes for each file that was written."""

    def __init__(self, directory: Path, blobs: Blobs) -> None:
        self.directory = directory
        self._blobs = blobs

    def add(self, change: Change) -> None:
        """Remember that `change` is the newest of its file. Raises StateUnwritable, DiskFull."""
        path = self._path(change.path)
        with state_translated(path):
            try:
                file = path.open("ab")
            except FileNotFoundError:
                make_folders(path.parent)
                file = path.open("ab")
            with file:
                file.write(encode(change))

    def overwritten(self, path: str, content: bytes, digest: str) -> tuple[Overwritten, ...]:
        """Return the writes to `path` that its present `content` has lost.

        An append is lost when its bytes are nowhere in the file. A replacement is lost when every
        line that it added is gone and every line that it removed is back: what a program does that
        saves a version from before. A person who edits further changes something else as well.
        """
        last = self._last(path)
        if last is None or last.after == digest:
            return ()
        changes = self._changes(path)
        undone = {change.undoes for change in changes}
        lost = []
        latest = b""
        for change in reversed(changes):
            if change.id not in undone and (found := self._lost(change, content, latest)):
                lost.append(found)
            if change.effect is Effect.REPLACE and not latest:
                latest = self._version(change.after)
        return tuple(reversed(lost))

    def forget(self, path: str, ids: frozenset[str]) -> None:
        """Stop watching the changes with these ids."""
        kept = [change for change in self._changes(path) if change.id not in ids]
        file = self._path(path)
        with state_translated(file):
            lines = b"".join(encode(change) for change in kept[-_REMEMBERED:])
            file.unlink(missing_ok=True)
            write_whole(file, lines, durable=False)

    def paths(self) -> tuple[str, ...]:
        """Return the paths of all files that are watched."""
        found: dict[str, None] = {}
        for file in sorted(self.directory.glob("*")):
            for line in file.read_bytes().splitlines():
                change = decode(line)
                if change:
                    found[change.path] = None
        return tuple(found)

    def _path(self, path: str) -> Path:
        return self.directory / text_digest(key_of(path))

    def _changes(self, path: str) -> list[Change]:
        try:
            lines = self._path(path).read_bytes().splitlines()
        except FileNotFoundError:
            return []
        changes = [change for line in lines if (change := decode(line)) is not None]
        removals = [at for at, change in enumerate(changes) if change.effect is Effect.REMOVE]
        return changes[removals[-1] + 1 if removals else 0 :][-_REMEMBERED:]

    def _last(self, path: str) -> Change | None:
        try:
            with self._path(path).open("rb") as file:
                file.seek(max(0, file.seek(0, 2) - _LONGEST_LINE))
                lines = file.read().splitlines()
        except FileNotFoundError:
            return None
        return decode(lines[-1]) if lines else None

    def _lost(self, change: Change, content: bytes, latest: bytes) -> Overwritten | None:
        """Return what `content` lost of `change`, unless our own `latest` version dropped it."""
        if change.effect is Effect.APPEND:
            added = self._version(change.added)
            dropped = bool(latest) and added.strip() not in latest
            if dropped or added.strip() in content:
                return None
            return Overwritten(change, added, frozenset(added.splitlines()))
        if change.effect is Effect.REPLACE:
            before, after = self._version(change.before), self._version(change.after)
            if latest and reverted(before, after, latest):
                return None
            if not reverted(before, after, content):
                return None
            lines = frozenset(after.splitlines()) - frozenset(before.splitlines())
            return Overwritten(change, after, lines)
        return None

    def _version(self, digest: str) -> bytes:
        """Return a stored version; nothing for one that was forgotten on purpose."""
        try:
            return self._blobs.get(digest)
        except Unreadable:
            return b""


def reverted(before: bytes, after: bytes, content: bytes) -> bool:
    """Whether `content` has no line that `after` added to `before` and all that it removed."""
    old, new, now = (set(text.splitlines()) for text in (before, after, content))
    return old != new and not (new - old) & now and (old - new) <= now
