"""Two agents on one installation, found by their names and by nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.core.frozen import dataclass
from vademecum.service import enrolling
from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock


@dataclass(frozen=True, slots=True)
class Installation:
    """A home with its registry; `open` opens the memory of an agent in its name."""

    home: Path
    clock: FrozenClock
    opened: list[Memory]

    def agent(self, name: str, folder: str | None = None, **more: str | bool) -> Path:
        """Make a workspace and register it."""
        root = self.home / (folder or name)
        if not (root / "vade.toml").exists():
            init(root, clock=self.clock)
        enrolling.add(name, root, **more)  # type: ignore[arg-type]  # what the test says
        return root

    def open(self, name: str | None, root: Path | None = None) -> Memory:
        """Open a memory; it is closed after the test."""
        memory = open_memory(root, agent=name, clock=self.clock)
        self.opened.append(memory)
        return memory


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """Give an installation without agents, and make its home the one of this process."""
    for variable, folder in (("CONFIG", "config"), ("STATE", "state"), ("CACHE", "cache")):
        monkeypatch.setenv(f"XDG_{variable}_HOME", str(tmp_path / folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    monkeypatch.chdir(tmp_path)
    made = Installation(tmp_path, FrozenClock(), [])
    yield made
    for memory in made.opened:
        memory.close()


@pytest.fixture
def open_as(installation: Installation) -> Callable[[str], Memory]:
    """Open the memory of an agent by its name."""
    return installation.open
