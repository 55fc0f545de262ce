"""Writing for one migration: each file once, however often the migration is begun anew."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.migration import MigrationPlan
from vademecum.core.provenance import Actor
from vademecum.markdown.days import day_in_name
from vademecum.markdown.lines import decode
from vademecum.migration.bodies import encoded, shown
from vademecum.migration.composing import Text
from vademecum.migration.naming import Names
from vademecum.workspace.creating import BATCH
from vademecum.workspace.files import New
from vademecum.workspace.workspace import Workspace
from vademecum.writing.log import header_of_log
from vademecum.writing.quarantine import is_quarantined, quarantine_header
from vademecum.writing.signing import LONGEST_SUMMARY, sign

ACTOR = "migrate"
"""The verb of what a migration writes, and in whose name a person's does; its session is the id of
the migration."""
_BATCH_BYTES = 16_000_000
_HEAD = 2_000


@dataclass(frozen=True, slots=True)
class _Waiting:
    planned: str
    data: bytes
    then: Callable[[str], None]


class Writer:
    """The writes of one migration, all of one session and one group.

    What the ledger says was written in an earlier run is not written again, unless the file is what
    it was before: then the workspace was put back, from Git or a backup.
    """

    def __init__(self, workspace: Workspace, plan: MigrationPlan, actor: str = ACTOR) -> None:
        self._workspace = workspace
        self._id = plan.id
        self._day = plan.at.astimezone(workspace.zone).date()
        self._actor = Actor(actor, plan.id)
        self._names = Names(workspace)
        self._waiting: list[_Waiting] = []
        self._size = 0
        self.created: list[str] = []
        """Paths of the files that were made, in this run or an earlier one."""
        self.heads: dict[str, str] = {}
        """The first lines of those that this run made: what maps tell of them stands there."""
        workspace.files.recover()
        self._written = {change.summary: change for change in written_by(workspace, plan.id)}

    def signature(self, summary: str) -> Signature:
        """Return the signature of one write."""
        return sign(self._workspace, self._actor, ACTOR, summary, group=self._id)

    def create(self, planned: str, data: bytes, then: Callable[[str], None]) -> None:
        """Make a file, or wait for more to make together; `then` is told its path once it is there.

        Where another program made a file of that name meanwhile, the path has a number.
        """
        done = self._written.get(_summary(planned))
        if done is not None and done.effect is Effect.CREATE and not self._is_back(done):
            self.created.append(done.path)
            then(done.path)
            return
        self._waiting.append(_Waiting(planned, data, then))
        self._size += len(data)
        if len(self._waiting) >= BATCH or self._size >= _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Make the files that wait."""
        waiting, self._waiting, self._size = self._waiting, [], 0
        paths = [
            each.planned if self._names.take(each.planned) else self._names.give(each.planned)
            for each in waiting
        ]
        new = [
            New(path, each.data, self.signature(_summary(each.planned)))
            for path, each in zip(paths, waiting, strict=True)
        ]
        made = self._workspace.files.create_all(new) if new else ()
        for path, each, change in zip(paths, waiting, made, strict=True):
            if change is None:  # made between the look and the write
                self._waiting.append(each)
                continue
            self.created.append(path)
            self.heads[path] = _head(each.data)
            each.then(path)
        if self._waiting:
            self.flush()

    def append(self, path: str, text: Text, source: str) -> int:
        """Add lines at the end of a file; return how many stand before the first of them."""
        summary = _summary(f"{shown(source)} to {path}")
        change = self._written.get(summary)
        if change is None or self._is_back(change):
            before = self._read(path)
            joined = "".join(text.lines)
            if b"\r\n" in before:
                joined = joined.replace("\r\n", "\n").replace("\n", "\r\n")
            change = self._workspace.files.append(
                path, encoded(joined), self.signature(summary), header=self._header(path)
            ).change
        return self._lines_before(change)

    def remove(self, path: str, digest: str) -> bool:
        """Remove an original that is still what was staged; return whether it is gone."""
        try:
            base = self._workspace.files.read(path)
        except NoteNotFound:
            return True
        if base.digest != digest:
            return False
        self._workspace.files.remove(base, self.signature(_summary(f"moved in: {path}")))
        return True

    def _is_back(self, change: Change) -> bool:
        """Whether a file is what it was before a write of an earlier run, which nobody undid."""
        try:
            held = self._workspace.files.read(change.path).digest
        except NoteNotFound:
            held = ""
        last = self._workspace.ledger.last(change.path) if held == change.before else None
        if last is None or last.id == change.id:
            return last is not None
        return last.verb == ACTOR or last.session == session_back(self._id)

    def _header(self, path: str) -> bytes:
        """Return what a new file of its kind begins with."""
        profile = self._workspace.profile
        if is_quarantined(profile, path):
            return quarantine_header(day_in_name(path) or self._day).encode()
        day = profile.day_of(path)
        return header_of_log(self._workspace, day).encode() if day else b""

    def _read(self, path: str) -> bytes:
        try:
            return self._workspace.files.read(path).data
        except NoteNotFound:
            return b""

    def _lines_before(self, change: Change) -> int:
        data = self._read(change.path)
        added = data[change.offset : change.offset + change.length]
        before = data[: change.offset]
        count = before.count(b"\n")
        # A missing final newline was put before what was added.
        if before and not before.endswith(b"\n") and added[:1] in (b"\n", b"\r"):
            count += 1
        return count


def written_by(workspace: Workspace, id: str) -> list[Change]:
    """Return the writes of a migration, oldest first, as the ledger has them."""
    return [change for change in workspace.ledger.changes(session=id) if change.verb == ACTOR]


def session_back(id: str) -> str:
    """Return the session in which a migration is rolled back."""
    return f"{id}-back"


def _head(data: bytes) -> str:
    """Return the first whole lines of a file."""
    if len(data) > _HEAD:
        data = data[: data.rfind(b"\n", 0, _HEAD) + 1]
    return decode(data).text


def _summary(text: str) -> str:
    """Return what the ledger says of a write, by which it is known again."""
    flat = " ".join(shown(text).split())
    if len(flat) <= LONGEST_SUMMARY:
        return flat
    return f"{flat[: LONGEST_SUMMARY - 14]}… {text_digest(flat)[:12]}"
