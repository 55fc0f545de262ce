"""What was put where for which host, and the files as they were before: kept with the state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from vademecum.core.errors import StateUnwritable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.service.hosts.setting import Setting
from vademecum.workspace.config import load_settings, state_home
from vademecum.workspace.whole import make_folders, write_whole

_FOLDER = "hosts"


@dataclass(frozen=True, slots=True)
class Receipt:
    """One host as it was set up."""

    host: str
    program: tuple[str, ...]
    workspace: str
    project: str
    """Empty for the user's own configuration."""
    originals: Mapping[str, str]
    """By the path of each file: the copy of what it was, empty where it was not there."""
    folders: tuple[str, ...] = ()
    """Made for it."""

    def setting(self, variables: Mapping[str, str]) -> Setting:
        """Return the setting that it was set up with."""
        project = Path(self.project) if self.project else None
        return Setting(self.program, Path(self.workspace), project, variables)

    def original(self, path: Path) -> bytes | None:
        """Return what a file held before; None where it was not there, or nobody knows."""
        copy = self.originals.get(str(path))
        with suppress(OSError):
            return Path(copy).read_bytes() if copy else None
        return None


class Receipts:
    """All receipts of this user."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._folder = state_home(load_settings(None, None, variables), variables) / _FOLDER

    def of(self, host: str, project: Path | None) -> Receipt | None:
        """Return the receipt of a host, None where there is none that can be read."""
        return _read(self._file(host, project))

    def all(self) -> Iterator[Receipt]:
        """Yield every receipt that can be read."""
        for path in sorted(self._folder.glob("*.json")):
            if found := _read(path):
                yield found

    def keep(self, receipt: Receipt) -> None:
        """Keep a receipt in the place of the one before. Raises StateUnwritable."""
        project = Path(receipt.project) if receipt.project else None
        row = {
            "host": receipt.host,
            "program": list(receipt.program),
            "workspace": receipt.workspace,
            "project": receipt.project,
            "originals": dict(receipt.originals),
            "folders": list(receipt.folders),
        }
        self._write(self._file(receipt.host, project), json.dumps(row, indent=2).encode())

    def drop(self, host: str, project: Path | None) -> None:
        """Forget a receipt; the copies of files stay."""
        with suppress(FileNotFoundError):
            self._file(host, project).unlink()

    def copy(self, host: str, path: Path, data: bytes) -> str:
        """Keep what a file holds, and return where. Raises StateUnwritable."""
        name = text_digest(str(path) + "\0" + data.decode("utf-8", "surrogateescape"))[:12]
        kept = self._folder / "backups" / host / f"{name}-{path.name}"
        self._write(kept, data)
        return str(kept)

    def _file(self, host: str, project: Path | None) -> Path:
        scope = f"-{text_digest(str(project))[:12]}" if project else ""
        return self._folder / f"{host}{scope}.json"

    def _write(self, path: Path, data: bytes) -> None:
        try:
            make_folders(path.parent)
            write_whole(path, data, durable=True)
        except OSError as error:
            raise StateUnwritable(
                f"{path} cannot be written: {error.strerror or error}. Nothing was changed.",
                hint="Check the permissions of the state directory.",
            ) from error


def _read(path: Path) -> Receipt | None:
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        return Receipt(
            str(row["host"]),
            tuple(str(word) for word in row["program"]),
            str(row["workspace"]),
            str(row["project"]),
            {str(name): str(copy) for name, copy in row["originals"].items()},
            tuple(str(folder) for folder in row["folders"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
