"""A memory to move into, sources in the forms of other systems, and what a tree holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from vademecum.core.migration import Account, MigrationReport, Phase
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Files = Mapping[str, str | bytes]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=FrozenClock("2026-03-20T10:30:00")) as made:
        yield made


@pytest.fixture
def workspace(memory: Memory, tmp_path: Path) -> Path:
    assert memory is not None
    return tmp_path / "workspace"


@pytest.fixture
def lay(tmp_path: Path) -> Callable[..., Path]:
    """Write the files of a source and return its directory."""

    def write(files: Files, name: str = "source") -> Path:
        for path, content in files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / name

    return write


@pytest.fixture
def move(memory: Memory) -> Callable[[Path], MigrationReport]:
    """Move a source in; every line of it has to be accounted for."""

    def run(source: Path) -> MigrationReport:
        report = memory.migrate(approved=memory.migrate(source))
        assert report.phase is Phase.DONE
        assert report.accounted == report.lines
        return report

    return run


@pytest.fixture
def said(workspace: Path) -> Callable[[str], str]:
    """Return the text of a file of the workspace."""
    return lambda path: (workspace / path).read_text("utf-8")


@pytest.fixture
def tree() -> Callable[[Path], dict[str, bytes | str]]:
    """Return everything below a directory: files by their bytes, links, folders."""

    def held(root: Path) -> dict[str, bytes | str]:
        found: dict[str, bytes | str] = {}
        for folder, folders, files in os.walk(root):
            for name in (*folders, *files):
                path = Path(folder) / name
                key = path.relative_to(root).as_posix()
                if path.is_symlink():
                    found[key] = f"link to {path.readlink()}"
                elif path.is_file():
                    found[key] = path.read_bytes()
                else:
                    found[key] = "folder" if path.is_dir() else "other"
        return found

    return held


@pytest.fixture
def fate() -> Callable[[MigrationReport, str, int], Account]:
    """Return what became of one line of the source."""

    def of(report: MigrationReport, path: str, line: int) -> Account:
        rows = [
            account
            for account in report.accounts
            if account.source.path == path and account.source.first <= line <= account.source.last
        ]
        assert len(rows) == 1, rows
        return rows[0]

    return of
