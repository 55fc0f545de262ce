"""A memory with a few weeks in it, searched through the library's own interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Write = Callable[[str, str], None]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory at 2026-01-20 whose files are below `tmp_path/workspace`."""
    clock = FrozenClock("2026-01-20T10:30:00")
    with throwaway_memory(clock=clock, root=tmp_path) as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of the workspace as any editor would."""

    def put(path: str, text: str) -> None:
        file = tmp_path / "workspace" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return put
