"""What the checks look at: one workspace, its parts and what was on disk when they began."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.errors import NoteNotFound, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.markdown.lines import decode, split
from vademecum.markdown.parse import parse_note
from vademecum.service.doctor.notes import Examined
from vademecum.service.wiring import Parts
from vademecum.workspace.scan import Scan
from vademecum.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Unread:
    """A note that cannot be read, and why."""

    path: str
    error: VademecumError


@dataclass(frozen=True, slots=True)
class Patient:
    """A workspace as the doctor sees it."""

    workspace: Workspace
    parts: Parts
    scan: Scan

    def notes(self) -> Iterator[Examined | Unread]:
        """Yield every note, read once, by path."""
        for path in sorted(self.scan.files):
            try:
                yield self._examined(path)
            except NoteNotFound:
                continue  # somebody removed it meanwhile
            except VademecumError as error:
                yield Unread(path, error)

    def _examined(self, path: str) -> Examined:
        content = self.workspace.files.read(path)
        decoded = decode(content.data)
        role = self.workspace.role_of(path)
        return Examined(
            path=path,
            role=role,
            day=self.workspace.profile.day_of(path),
            budget=self._budget(path, role),
            text=decoded.text,
            encoding=decoded.encoding,
            defect=decoded.defect,
            lines=split(decoded.text),
            note=parse_note(path, decoded.text, role),
            digest=content.digest,
        )

    def _budget(self, path: str, role: Role) -> int | None:
        budgets = self.workspace.settings.budget
        if role is Role.CORE:
            return budgets.core
        if role is Role.WORKBENCH:
            return budgets.workbench
        return budgets.map if path == self.workspace.profile.map_path else None
